//! Methods of the driver, of elements, and of what is made of them.

use super::super::chain::Chain;
use super::super::{keys, places, scripts};
use super::{Arguments, Caller, Names, Value};
use mageyard_browser::{Place, Step};
use mageyard_kit::Expression;

impl Caller<'_> {
    /// What a method does, or nothing if it is not known.
    pub(super) fn method(
        &mut self,
        on: Value,
        name: &str,
        arguments: &Arguments,
        names: &Names,
    ) -> Option<Result<Value, String>> {
        match on {
            Value::Driver => self.of_driver(name, arguments, names),
            Value::Element(place) => self.of_element(place, name, arguments),
            Value::Chain(number) => self.of_chain(number, name, arguments, names),
            Value::Select(from) if name == "select_by_visible_text" => Some(match arguments {
                [(_, Expression::Text(option))] => self.step(Step::Choose { from, option: option.clone() }),
                _ => Err("an option is chosen by one plain text".into()),
            }),
            Value::Dialog if ["accept", "dismiss"].contains(&name) => Some(match name {
                "accept" => Ok(Value::Nothing),
                _ => Err("dismiss() is not read: dialogs are always answered yes".into()),
            }),
            _ => None,
        }
    }

    fn of_driver(
        &mut self,
        name: &str,
        arguments: &Arguments,
        names: &Names,
    ) -> Option<Result<Value, String>> {
        Some(match name {
            "find_element" => places::found(arguments).map(Value::Element),
            "find_elements" => places::found(arguments).map(Value::Elements),
            // A picture of the page changes nothing.
            "save_screenshot" => Ok(Value::Nothing),
            "execute_script" => self.script(arguments, names),
            _ => match (name.strip_prefix("find_element_by_"), name.strip_prefix("find_elements_by_")) {
                (Some(way), _) => places::found_by_name(way, arguments).map(Value::Element),
                (_, Some(way)) => places::found_by_name(way, arguments).map(Value::Elements),
                _ => return None,
            },
        })
    }

    fn script(&mut self, arguments: &Arguments, names: &Names) -> Result<Value, String> {
        let element = match arguments {
            [_] => None,
            [_, _] => Some(self.element(arguments, 1, names)?),
            _ => return Err("execute_script needs a script and at most one element".into()),
        };
        match &arguments[0].1 {
            Expression::Text(script) => {
                let scroll = scripts::scroll(script, element.as_ref())?;
                self.step(Step::Scroll(scroll))
            }
            other => Err(format!("{other} is not a plain text of a script")),
        }
    }

    fn of_element(
        &mut self,
        place: Place,
        name: &str,
        arguments: &Arguments,
    ) -> Option<Result<Value, String>> {
        let step = match (name, arguments) {
            ("click", []) => Step::Click(place),
            ("clear", []) => Step::Clear(place),
            ("submit", []) => Step::Submit(place),
            ("send_keys", _) => {
                return Some(keys::typed(arguments, Some(place)).map(|steps| self.add(steps)));
            }
            ("find_element" | "find_elements", _) => {
                let inner = places::found(arguments).and_then(|inner| places::within(&place, &inner));
                let all = name.ends_with('s');
                return Some(
                    inner.map(|place| if all { Value::Elements(place) } else { Value::Element(place) }),
                );
            }
            _ => return None,
        };
        Some(self.step(step))
    }

    fn of_chain(
        &mut self,
        number: usize,
        name: &str,
        arguments: &Arguments,
        names: &Names,
    ) -> Option<Result<Value, String>> {
        if name == "perform" {
            // A chain keeps its actions, so that a second call does them again.
            let steps = self.chains.get(number)?.steps.clone();
            return Some(Ok(self.add(steps)));
        }
        let mut elements = Vec::new();
        let mut rest = Vec::new();
        for (index, (keyword, argument)) in arguments.iter().enumerate() {
            match argument {
                Expression::Number(number) => rest.push(*number),
                Expression::Text(_) | Expression::Sum(..) | Expression::Attribute(..) => {}
                _ => match self.element(arguments, index, names) {
                    Ok(place) => elements.push(place),
                    Err(why) => return Some(Err(why)),
                },
            }
            let is_known = keyword.as_deref().is_none_or(|keyword| Chain::KEYWORDS.contains(&keyword));
            if !is_known {
                return Some(Err(format!("{name} has an argument that is not read")));
            }
        }
        let chain = self.chains.get_mut(number)?;
        Some(chain.act(name, &elements, &rest, arguments)?.map(|()| Value::Chain(number)))
    }

    pub(super) fn element(
        &mut self,
        arguments: &Arguments,
        at: usize,
        names: &Names,
    ) -> Result<Place, String> {
        let (_, argument) = arguments.get(at).ok_or("an element is missing")?;
        match self.value(argument, names)? {
            Value::Element(place) => Ok(place),
            _ => Err(format!("{argument} is not an element")),
        }
    }
}
