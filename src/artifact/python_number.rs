//! JSON numbers the way Python's `json` module prints them.
//!
//! The Python helpers read a manifest with `json.loads` and print values with `json.dumps`. On the
//! way a number loses how it was written (`1e5` comes back as `100000.0`), so a program whose
//! output is compared with theirs has to print it the same way.

/// The text `json.dumps(json.loads(token))` gives in Python for the JSON number `token`.
///
/// Integers keep all their digits. Everything else is a 64-bit float, printed with the fewest
/// digits that read back as the same float. `None` for what Python has no JSON number for either:
/// a float too large for 64 bits (it becomes `Infinity` there), and text that is not a JSON number.
///
/// Python refuses integers of more than 4,300 digits; here they keep their digits as well.
///
/// ```
/// use terminal_session::artifact::python_number::canonical;
///
/// assert_eq!(canonical("1e5").as_deref(), Some("100000.0"));
/// assert_eq!(canonical("-0").as_deref(), Some("0"));
/// assert_eq!(canonical("1e999"), None);
/// ```
pub fn canonical(token: &str) -> Option<String> {
    match kind(token)? {
        // Python's integers have no negative zero.
        Kind::Integer if token == "-0" => Some("0".to_owned()),
        Kind::Integer => Some(token.to_owned()),
        Kind::Float => {
            let number: f64 = token.parse().ok()?;
            number.is_finite().then(|| repr(number))
        }
    }
}

enum Kind {
    Integer,
    Float,
}

/// Which kind of number a token of JSON's grammar is, or `None` if it is no such token.
fn kind(token: &str) -> Option<Kind> {
    let rest = token.strip_prefix('-').unwrap_or(token);
    let (whole, rest) = digits(rest);
    if whole.is_empty() || (whole.len() > 1 && whole.starts_with('0')) {
        return None;
    }
    if rest.is_empty() {
        return Some(Kind::Integer);
    }
    let rest = match rest.strip_prefix('.') {
        Some(rest) => {
            let (fraction, rest) = digits(rest);
            if fraction.is_empty() {
                return None;
            }
            rest
        }
        None => rest,
    };
    if rest.is_empty() {
        return Some(Kind::Float);
    }
    let rest = rest.strip_prefix(['e', 'E'])?;
    let (exponent, rest) = digits(rest.strip_prefix(['+', '-']).unwrap_or(rest));
    (!exponent.is_empty() && rest.is_empty()).then_some(Kind::Float)
}

/// The leading ASCII digits of `text`, and what follows them.
fn digits(text: &str) -> (&str, &str) {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    text.split_at(end)
}

/// Python's `repr` of a finite float: with an exponent of at least two digits when that is below -4
/// or from 16 on, else with a point.
fn repr(number: f64) -> String {
    let scientific = shortest(number);
    let Some((mantissa, exponent)) = scientific.split_once('e') else {
        return scientific;
    };
    match exponent.parse::<i32>() {
        Ok(exponent @ -4..=15) => positional(mantissa, exponent),
        Ok(exponent) => {
            let sign = if exponent < 0 { '-' } else { '+' };
            format!("{mantissa}e{sign}{:02}", exponent.unsigned_abs())
        }
        Err(_) => scientific,
    }
}

/// The fewest digits that read back as `number`, as mantissa and exponent.
///
/// Where two numbers of that many digits are equally near, Python takes the one whose last digit is
/// even and Rust's `{:e}` the larger. Rounding to a number of digits goes to the even one in both.
fn shortest(number: f64) -> String {
    let shortest = format!("{number:e}");
    let mantissa = shortest.split('e').next().unwrap_or_default();
    let fraction_digits = mantissa.split_once('.').map_or(0, |(_, fraction)| fraction.len());
    let rounded = format!("{number:.fraction_digits$e}");
    // What is nearest may read back as the neighbour next to a power of two.
    if rounded.parse() == Ok(number) { rounded } else { shortest }
}

/// A mantissa and an exponent written out, with at least one digit on both sides of the point.
fn positional(mantissa: &str, exponent: i32) -> String {
    let (sign, mantissa) = mantissa.strip_prefix('-').map_or(("", mantissa), |rest| ("-", rest));
    let mut digits = mantissa.chars().filter(char::is_ascii_digit).peekable();
    let mut out = sign.to_owned();
    for place in (0..=exponent.max(0)).rev() {
        let leading_zero = place > exponent;
        out.push(if leading_zero { '0' } else { digits.next().unwrap_or('0') });
    }
    out.push('.');
    out.extend((exponent + 1..0).map(|_| '0'));
    if digits.peek().is_none() {
        out.push('0');
    }
    out.extend(digits);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tokens, and what `python3 -c 'json.dumps(json.loads(token))'` printed for them.
    const PYTHON: &[(&str, &str)] = &[
        ("0", "0"),
        ("-0", "0"),
        ("1", "1"),
        ("-1", "-1"),
        ("10", "10"),
        ("4294967296", "4294967296"),
        ("9007199254740993", "9007199254740993"),
        ("18446744073709551616", "18446744073709551616"),
        ("-9223372036854775809", "-9223372036854775809"),
        ("123456789012345678901234567890", "123456789012345678901234567890"),
        ("0.0", "0.0"),
        ("-0.0", "-0.0"),
        ("0e0", "0.0"),
        ("-0e5", "-0.0"),
        ("0.000", "0.0"),
        ("1.0", "1.0"),
        ("1.50", "1.5"),
        ("-1.50", "-1.5"),
        ("24.0", "24.0"),
        ("1e0", "1.0"),
        ("1e5", "100000.0"),
        ("1E5", "100000.0"),
        ("1e+5", "100000.0"),
        ("1e-5", "1e-05"),
        ("0.1e-7", "1e-08"),
        ("1e15", "1000000000000000.0"),
        ("1e16", "1e+16"),
        ("9.999e15", "9999000000000000.0"),
        ("9999999999999998.0", "9999999999999998.0"),
        ("99999999999999990.0", "9.999999999999998e+16"),
        ("1e17", "1e+17"),
        ("1e21", "1e+21"),
        ("1e22", "1e+22"),
        ("1e23", "1e+23"),
        ("1.5e300", "1.5e+300"),
        ("123456789012345680.0", "1.2345678901234568e+17"),
        ("1234567890123456.7", "1234567890123456.8"),
        ("12345678901234567.8", "1.2345678901234568e+16"),
        ("0.1", "0.1"),
        ("0.2", "0.2"),
        ("0.30000000000000004", "0.30000000000000004"),
        ("0.001", "0.001"),
        ("0.0001", "0.0001"),
        ("0.00012345", "0.00012345"),
        ("0.00001", "1e-05"),
        ("0.000099999", "9.9999e-05"),
        ("1e-4", "0.0001"),
        ("1e-10", "1e-10"),
        ("1.25e-100", "1.25e-100"),
        ("5e-324", "5e-324"),
        ("4.9e-324", "5e-324"),
        ("2.2250738585072014e-308", "2.2250738585072014e-308"),
        ("2.2250738585072011e-308", "2.225073858507201e-308"),
        ("1.7976931348623157e308", "1.7976931348623157e+308"),
        ("1e308", "1e+308"),
        ("-1e308", "-1e+308"),
        ("1e-999", "0.0"),
        ("-1e-999", "-0.0"),
        ("1e-324", "0.0"),
        ("3e-324", "5e-324"),
        ("0.1e1", "1.0"),
        ("100e-2", "1.0"),
        ("1234.5e3", "1234500.0"),
        ("3.14159265358979323846264338327950288", "3.141592653589793"),
        ("9007199254740993.0", "9007199254740992.0"),
        ("9007199254740992.5", "9007199254740992.0"),
        ("4503599627370496.5", "4503599627370496.0"),
        ("0.3333333333333333333", "0.3333333333333333"),
        ("1.0000000000000002", "1.0000000000000002"),
        ("1.00000000000000011102230246251565404236316680908203125", "1.0"),
        ("1.1102230246251565e-16", "1.1102230246251565e-16"),
        ("8.41e21", "8.41e+21"),
        ("9.5e-3", "0.0095"),
        ("2e0", "2.0"),
        ("1e00005", "100000.0"),
        ("1E-07", "1e-07"),
        ("5e+00016", "5e+16"),
        ("2.5e-05", "2.5e-05"),
        ("858579477447061.25", "858579477447061.2"),
        ("858579477447061.29414687", "858579477447061.2"),
        ("5.9604644775390625e-07", "5.960464477539062e-07"),
        ("-81628840367734.1258053369", "-81628840367734.12"),
        ("2251799813685249.25", "2251799813685249.0"),
        ("-2251799813685249.75", "-2251799813685250.0"),
        ("0.000244140625", "0.000244140625"),
        ("1e-5", "1e-05"),
        ("0.00010000000000000001", "0.0001"),
    ];

    #[test]
    fn numbers_print_as_in_python() {
        for (token, expected) in PYTHON {
            assert_eq!(canonical(token).as_deref(), Some(*expected), "{token}");
        }
    }

    #[test]
    fn printing_again_changes_nothing() {
        for (_, printed) in PYTHON {
            assert_eq!(canonical(printed).as_deref(), Some(*printed));
        }
    }

    #[test]
    fn integers_keep_every_digit() {
        let long = "1234567890".repeat(1_000);
        assert_eq!(canonical(&long), Some(long));
    }

    #[test]
    fn floats_too_large_for_python_are_none() {
        for token in ["1e999", "-1e999", "1e309", "1.8e308", "1.7976931348623159e308", "1E+400"] {
            assert_eq!(canonical(token), None, "{token}");
        }
    }

    #[test]
    fn text_that_is_no_json_number_is_none() {
        for token in [
            "",
            "-",
            "+1",
            "01",
            "-01",
            "1.",
            ".5",
            "1e",
            "1e+",
            "1.e5",
            "0x10",
            "1_000",
            " 1",
            "1 ",
            "NaN",
            "Infinity",
            "-Infinity",
            "inf",
            "nan",
            "1f",
            "١",
            "--1",
            "1e5.0",
        ] {
            assert_eq!(canonical(token), None, "{token}");
        }
    }
}
