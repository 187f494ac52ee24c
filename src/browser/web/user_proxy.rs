//! The proxy of the user, whose address a variable can have, so that a password is in no file.

use super::RuleError;

/// The address of the proxy: as given, or that of the variable that `$NAME` names.
///
/// # Errors
/// There is no such variable.
pub fn user_proxy(given: &str) -> Result<String, RuleError> {
    let Some(name) = given.strip_prefix('$') else { return Ok(given.to_owned()) };
    std::env::var(name).map_err(|_| RuleError::Variable(name.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_a_dollar_is_a_variable() {
        assert_eq!(user_proxy("http://a:1"), Ok("http://a:1".to_owned()));
        let missing = "MAGEYARD_NO_SUCH_VARIABLE";
        assert_eq!(user_proxy(&format!("${missing}")), Err(RuleError::Variable(missing.to_owned())));
    }
}
