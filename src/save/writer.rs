use super::{CHECKSUM, Contents, FORMAT_VERSION, HEADER, MAGIC, checksum};

/// Writes saved bytes: numbers are little-endian, texts and lists have their length in front.
pub(super) struct Writer<'b> {
    bytes: &'b mut Vec<u8>,
}

impl<'b> Writer<'b> {
    /// Begins with the header, in the place of what `bytes` held.
    pub(super) fn new(bytes: &'b mut Vec<u8>, contents: Contents) -> Self {
        bytes.clear();
        let mut writer = Self { bytes };
        writer.bytes(MAGIC);
        writer.u32(FORMAT_VERSION);
        writer.u32(contents as u32);
        writer.u64(0);
        writer
    }

    pub(super) fn u8(&mut self, byte: u8) {
        self.bytes.push(byte);
    }

    pub(super) fn u32(&mut self, word: u32) {
        self.bytes(&word.to_le_bytes());
    }

    pub(super) fn u64(&mut self, word: u64) {
        self.bytes(&word.to_le_bytes());
    }

    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    pub(super) fn text(&mut self, text: &str) {
        self.u32(u32::try_from(text.len()).expect("names are short"));
        self.bytes(text.as_bytes());
    }

    /// Writes what `write` writes, behind its length.
    pub(super) fn measured<E>(&mut self, write: impl FnOnce(&mut Self) -> Result<(), E>) -> Result<(), E> {
        self.u64(0);
        let start = self.bytes.len();
        write(self)?;
        let length = (self.bytes.len() - start) as u64;
        self.bytes[start - 8..start].copy_from_slice(&length.to_le_bytes());
        Ok(())
    }

    /// Writes a list whose length is known when it is written.
    pub(super) fn list(&mut self, write: impl FnOnce(&mut Self) -> u32) {
        let start = self.bytes.len();
        self.u32(0);
        let count = write(self);
        self.bytes[start..start + 4].copy_from_slice(&count.to_le_bytes());
    }

    /// Notes the length of all, and adds the checksum.
    pub(super) fn finish(self) {
        let length = (self.bytes.len() + CHECKSUM) as u64;
        self.bytes[HEADER - 8..HEADER].copy_from_slice(&length.to_le_bytes());
        let checksum = checksum(self.bytes);
        self.bytes.extend_from_slice(&checksum.to_le_bytes());
    }
}
