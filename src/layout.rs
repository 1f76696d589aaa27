//! What derived Data components ask of the compiler about their layout.

/// Stops the compiler if `bytes` bytes of a type, at `place`, belong to no field; says how many, where, and the way out,
/// to which `otherwise` adds.
#[track_caller]
pub const fn no_padding(type_name: &str, place: &str, bytes: usize, otherwise: &str) {
    if bytes > 0 {
        let message = Message::new()
            .text("`")
            .text(type_name)
            .text("` has ")
            .number(bytes)
            .text(if bytes == 1 { " byte" } else { " bytes" })
            .text(" of padding ")
            .text(place)
            .text(": padding is no part of the value, so it can't be hashed or compared; add a field `_padding: [u8; ")
            .number(bytes)
            .text("]` there")
            .text(otherwise);
        panic!("{}", message.as_str());
    }
}

/// Text that is put together while the compiler runs; what does not fit is cut off.
struct Message {
    bytes: [u8; 512],
    length: usize,
}

impl Message {
    const fn new() -> Self {
        Self { bytes: [0; 512], length: 0 }
    }

    const fn text(mut self, text: &str) -> Self {
        let (text, mut index) = (text.as_bytes(), 0);
        while index < text.len() && self.length < self.bytes.len() {
            self.bytes[self.length] = text[index];
            (self.length, index) = (self.length + 1, index + 1);
        }
        self
    }

    const fn number(self, number: usize) -> Self {
        let more = if number > 9 { self.number(number / 10) } else { self };
        let digit = [b'0' + (number % 10) as u8];
        match core::str::from_utf8(&digit) {
            Ok(digit) => more.text(digit),
            Err(_) => more,
        }
    }

    const fn as_str(&self) -> &str {
        match core::str::from_utf8(self.bytes.split_at(self.length).0) {
            Ok(text) => text,
            Err(_) => "the type has padding, which is no part of its value",
        }
    }
}

#[cfg(test)]
mod tests;
