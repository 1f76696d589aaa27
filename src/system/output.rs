use core::error::Error;

/// The error of a system: whatever it returned, or what kept it from running.
pub type SystemError = Box<dyn Error + Send + Sync>;

/// What a system may return: nothing, or a `Result` whose error fails the tick.
#[diagnostic::on_unimplemented(
    message = "a system can't return `{Self}`",
    label = "not the return type of a system",
    note = "return nothing, or `Result<(), E>` where `E` can be turned into `Box<dyn Error + Send + Sync>`",
    note = "a closure whose body is `todo!()` or `panic!(..)` alone returns `!`; give it the return type `()`, or write a function"
)]
pub trait SystemOutput {
    /// The outcome.
    ///
    /// # Errors
    ///
    /// The system's own error.
    fn into_result(self) -> Result<(), SystemError>;
}

impl SystemOutput for () {
    #[inline(always)]
    fn into_result(self) -> Result<(), SystemError> {
        Ok(())
    }
}

impl<E: Into<SystemError>> SystemOutput for Result<(), E> {
    #[inline]
    fn into_result(self) -> Result<(), SystemError> {
        self.map_err(Into::into)
    }
}
