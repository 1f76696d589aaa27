//! Names of systems that the user did not name.
//!
//! An automatic name is the type name of the function without its module paths, and a number if that is taken: `steer`,
//! `steer#2`, `steer#3`. The name without the number is the *base*; a dependency on a base means every instance of it.

/// The name for a function whose type is called `type_name`.
///
/// The number is free, and it is the next one unless the user has taken names of this form.
///
/// ```
/// use tickweave::schedule::names::automatic;
/// assert_eq!(automatic("game::steer", |_| false), "steer");
/// assert_eq!(automatic("game::steer", |name| ["steer", "steer#2"].contains(&name)), "steer#3");
/// assert_eq!(automatic("game::step<game::Fast, alloc::vec::Vec<u8>>", |_| false), "step<Fast, Vec<u8>>");
/// ```
pub fn automatic(type_name: &str, taken: impl Fn(&str) -> bool) -> String {
    let base = short(type_name);
    if !taken(&base) {
        return base;
    }
    let numbered = |number: u64| format!("{base}#{number}");
    let mut free = 2;
    while taken(&numbered(free)) {
        free *= 2;
    }
    let mut used = free / 2;
    while used + 1 < free {
        let middle = used + (free - used) / 2;
        if taken(&numbered(middle)) {
            used = middle;
        } else {
            free = middle;
        }
    }
    numbered(free)
}

/// An automatic name without its number.
#[must_use]
pub fn base(automatic: &str) -> &str {
    match automatic.rsplit_once('#') {
        Some((base, number)) if number.bytes().all(|digit| digit.is_ascii_digit()) && !number.is_empty() => base,
        _ => automatic,
    }
}

/// A type name without the modules in front of each path; a closure keeps the function that it stands in.
///
/// ```
/// use tickweave::schedule::names::short;
/// assert_eq!(short("<game::Wolf as game::Hunter>::hunt"), "<Wolf as Hunter>::hunt");
/// assert_eq!(short("game::main::{{closure}}"), "main::{{closure}}");
/// ```
#[must_use]
pub fn short(type_name: &str) -> String {
    let mut out = String::with_capacity(type_name.len());
    let mut path = 0;
    let mut rest = type_name;
    while let Some(next) = rest.chars().next() {
        let Some(after) = rest.strip_prefix("::") else {
            out.push(next);
            if "<, &([;*".contains(next) {
                path = out.len();
            }
            rest = &rest[next.len_utf8()..];
            continue;
        };
        if after.starts_with("{{") {
            out.push_str("::");
        } else if out.ends_with('>') {
            out.push_str("::");
            path = out.len();
        } else {
            out.truncate(path);
        }
        rest = after;
    }
    out
}

#[cfg(test)]
mod tests;
