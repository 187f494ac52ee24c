//! Carries an action out on the current tab.

use std::time::Duration;

use mageyard_browser::BrowserFailure;
use mageyard_browser::web::{LoadErrorKind, WebFault, WebSession};
use mageyard_domain::ActProblem;

use super::access::CurrentTab;
use crate::actions::Act;
use crate::facts::ChosenElement;
use crate::options::WebOptions;
use crate::page::{self, Filled, PageFailure, PageReading};
use crate::task::Task;

/// The parts of a viewport that scrolling moves by.
const DOWN: f64 = 0.75;
const UP: f64 = -0.5;
/// The pauses before an address is tried again (`WebCanvas`, released code).
const PAUSES: [Duration; 2] = [Duration::from_secs(5), Duration::from_secs(10)];

/// What an act has come to.
#[derive(Debug, Default)]
pub(super) struct Performed {
    /// Why it did not do what it says.
    pub(super) problem: Option<ActProblem>,
    /// The element that it chose.
    pub(super) element: Option<ChosenElement>,
}

/// Why an act ended early.
enum Early {
    Problem(ActProblem),
    Browser(BrowserFailure),
}

impl From<WebFault> for Early {
    fn from(fault: WebFault) -> Self {
        match fault {
            WebFault::Browser(failure) => Self::Browser(failure),
            WebFault::NoHistory | WebFault::NoTab(_) | WebFault::BadAddress { .. } => refused(&fault),
            fault => Self::Problem(ActProblem::Failed(fault.to_string().into())),
        }
    }
}

impl From<PageFailure<WebFault>> for Early {
    fn from(failure: PageFailure<WebFault>) -> Self {
        match failure {
            PageFailure::Access(fault) => fault.into(),
            PageFailure::Refused(refusal) => refused(&refusal),
            PageFailure::Answer(_) => Self::Problem(ActProblem::Failed(failure.to_string().into())),
        }
    }
}

fn refused(why: &impl ToString) -> Early {
    Early::Problem(ActProblem::Refused(why.to_string().into()))
}

/// Where an act is carried out.
pub(super) struct Surface<'a> {
    pub(super) session: &'a WebSession,
    /// What the agent was shown.
    pub(super) reading: &'a PageReading,
    pub(super) task: &'a Task,
    pub(super) options: &'a WebOptions,
}

impl Surface<'_> {
    /// Carries the act out, up to the event that the page gets.
    pub(super) async fn perform(&self, act: &Act) -> Result<Performed, BrowserFailure> {
        let mut performed = Performed::default();
        match self.act(act, &mut performed.element).await {
            Ok(()) => {}
            Err(Early::Problem(problem)) => performed.problem = Some(problem),
            Err(Early::Browser(failure)) => return Err(failure),
        }
        Ok(performed)
    }

    async fn act(&self, act: &Act, chosen: &mut Option<ChosenElement>) -> Result<(), Early> {
        match act {
            Act::Goto(url) => self.goto(&address(url)).await,
            Act::Search(text) => self.search(text).await,
            Act::Click(number) => self.point(*number, chosen, true).await,
            Act::Hover(number) => self.point(*number, chosen, false).await,
            Act::Fill { number, text, enter } => self.fill(*number, text, *enter, chosen).await,
            Act::Select { number, option } => self.select(*number, option, chosen).await,
            Act::SwitchTab(number) => Ok(self.session.switch_tab(*number).await?),
            Act::GoBack => Ok(self.session.back().await?),
            Act::Scroll { down } => {
                let amount = if *down { DOWN } else { UP };
                Ok(page::scroll(&self.tab(), self.reading, amount).await.map(drop)?)
            }
            Act::Keep(_) | Act::Answer(_) => Ok(()),
        }
    }

    fn tab(&self) -> CurrentTab<'_> {
        CurrentTab(self.session)
    }

    /// Opens an address, again after a pause if the host does not answer.
    async fn goto(&self, url: &str) -> Result<(), Early> {
        for pause in PAUSES {
            match self.session.goto(url).await {
                Err(WebFault::Timeout { .. }) => {}
                Err(WebFault::NetworkError(error)) if error.kind == LoadErrorKind::Unreachable => {}
                done => return Ok(done?),
            }
            tokio::time::sleep(pause).await;
        }
        Ok(self.session.goto(url).await?)
    }

    async fn search(&self, text: &str) -> Result<(), Early> {
        let own = self.task.search.as_ref().filter(|_| !self.options.own_search);
        let Some(page) = own.or(self.options.search.as_ref()) else {
            return Err(refused(&"searching is off (web.search)"));
        };
        let text: String = url::form_urlencoded::byte_serialize(text.as_bytes()).collect();
        self.goto(&format!("{page}{text}")).await
    }

    async fn locate(&self, number: u32, option: Option<u32>) -> Result<ChosenElement, Early> {
        Ok(page::locate(&self.tab(), self.reading, number, &self.task.references(), option).await?)
    }

    async fn point(&self, number: u32, chosen: &mut Option<ChosenElement>, click: bool) -> Result<(), Early> {
        *chosen = Some(self.locate(number, None).await?);
        let point = page::point(&self.tab(), self.reading, number).await?;
        if let Some(refusal) = point.refusal(number) {
            return Err(refused(&refusal));
        }
        if click {
            self.session.click_at(point.x, point.y).await?;
        } else {
            self.session.hover_at(point.x, point.y).await?;
        }
        Ok(())
    }

    async fn fill(
        &self,
        number: u32,
        text: &str,
        enter: bool,
        chosen: &mut Option<ChosenElement>,
    ) -> Result<(), Early> {
        *chosen = Some(self.locate(number, None).await?);
        if page::fill(&self.tab(), self.reading, number, text).await? == Filled::Focused {
            // What was there is selected: a text replaces it, and without one it is deleted.
            match text {
                "" => self.session.press_key("Backspace").await?,
                text => self.session.type_text(text).await?,
            }
        }
        if enter {
            self.session.press_key("Enter").await?;
        }
        Ok(())
    }

    async fn select(
        &self,
        number: u32,
        option: &str,
        chosen: &mut Option<ChosenElement>,
    ) -> Result<(), Early> {
        *chosen = Some(self.locate(number, None).await?);
        let choices = page::choices(&self.tab(), self.reading, number).await?;
        let index = page::pick_option(&choices, number, option).map_err(|refusal| refused(&refusal))?;
        *chosen = Some(self.locate(number, Some(index)).await?);
        page::choose(&self.tab(), self.reading, number, index).await?;
        Ok(())
    }
}

/// The address with a scheme: https, or http for the local sites, which have names in `.test`.
pub(super) fn address(given: &str) -> String {
    let given = given.trim();
    if given.contains("://") || given.starts_with("about:") {
        return given.to_owned();
    }
    let host = given.split(['/', '?', '#', ':']).next().unwrap_or_default();
    let scheme = if host.to_ascii_lowercase().ends_with(".test") { "http" } else { "https" };
    format!("{scheme}://{given}")
}

#[cfg(test)]
mod tests {
    use super::address;

    #[test]
    fn a_scheme_is_added_by_the_host() {
        for (given, expected) in [
            (" kohls.com/a?b ", "https://kohls.com/a?b"),
            ("shop.test/x.com", "http://shop.test/x.com"),
            ("SHOP.TEST:80", "http://SHOP.TEST:80"),
            ("https://shop.test", "https://shop.test"),
            ("file:///etc/passwd", "file:///etc/passwd"),
        ] {
            assert_eq!(address(given), expected);
        }
    }
}
