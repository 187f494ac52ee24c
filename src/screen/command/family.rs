//! Families: commands that are listed as one, with a word for each of them, such as `:focus agent`. Their own names, which
//! `keys.toml` uses, keep working.

use super::{Command, CommandId, Group, find_command};

/// Commands that are listed as one.
pub(crate) struct Family {
    /// Its name. A command of this name is what it does without one of its words.
    pub(crate) name: &'static str,
    /// What it does in about three words.
    pub(crate) brief: &'static str,
    /// The words, each with its command.
    members: &'static [(&'static str, CommandId)],
}

/// Every family, by name.
pub(crate) const FAMILIES: &[Family] = &[
    Family {
        name: "annotate",
        brief: "tags and comments",
        members: &[
            ("tag", CommandId::Tag),
            ("untag", CommandId::Untag),
            ("comment", CommandId::Comment),
            ("uncomment", CommandId::Uncomment),
        ],
    },
    Family {
        name: "ask",
        brief: "ask again, compare",
        members: &[
            ("again", CommandId::AskAgain),
            ("from", CommandId::AskFrom),
            ("candidates", CommandId::Candidates),
        ],
    },
    Family {
        name: "compare",
        brief: "episodes, requests, frames",
        members: &[
            ("episode", CommandId::Diff),
            ("request", CommandId::DiffRequests),
            ("frame", CommandId::Before),
        ],
    },
    Family {
        name: "episodes",
        brief: "list of episodes",
        members: &[("next", CommandId::NextEpisode), ("previous", CommandId::PreviousEpisode)],
    },
    Family {
        name: "focus",
        brief: "another pane",
        members: &[
            ("frame", CommandId::FocusFrame),
            ("agent", CommandId::FocusAgent),
            ("memory", CommandId::FocusMemory),
            ("score", CommandId::FocusScore),
            ("steps", CommandId::FocusSteps),
            ("next", CommandId::FocusNext),
            ("previous", CommandId::FocusPrevious),
        ],
    },
    Family {
        name: "go",
        brief: "to another step",
        members: &[
            ("back", CommandId::Back),
            ("forward", CommandId::Forward),
            ("first", CommandId::First),
            ("newest", CommandId::Newest),
        ],
    },
    Family {
        name: "layout",
        brief: "sizes of the panes",
        members: &[
            ("larger", CommandId::GrowPane),
            ("smaller", CommandId::ShrinkPane),
            ("taller", CommandId::Taller),
            ("shorter", CommandId::Shorter),
            ("reset", CommandId::ResetLayout),
            ("zoom", CommandId::Zoom),
        ],
    },
    Family {
        name: "marked",
        brief: "steps with marks",
        members: &[
            ("next", CommandId::NextMarked),
            ("previous", CommandId::PreviousMarked),
            ("only", CommandId::OnlyMarked),
        ],
    },
    Family {
        name: "run",
        brief: "run or pause",
        members: &[
            ("faster", CommandId::Faster),
            ("slower", CommandId::Slower),
            ("real-time", CommandId::RealTime),
        ],
    },
    Family {
        name: "screen",
        brief: "link, pictures, mouse",
        members: &[
            ("pictures", CommandId::Pictures),
            ("link", CommandId::Link),
            ("bandwidth", CommandId::Bandwidth),
            ("mouse", CommandId::Mouse),
            ("redraw", CommandId::Redraw),
            ("suspend", CommandId::Suspend),
        ],
    },
    Family {
        name: "scroll",
        brief: "the focused pane",
        members: &[
            ("down", CommandId::ScrollDown),
            ("up", CommandId::ScrollUp),
            ("page-down", CommandId::PageDown),
            ("page-up", CommandId::PageUp),
            ("top", CommandId::Top),
            ("end", CommandId::Bottom),
        ],
    },
    Family {
        name: "show",
        brief: "views, replies, overlays",
        members: &[
            ("view", CommandId::View),
            ("sent", CommandId::Sent),
            ("picture", CommandId::Picture),
            ("film", CommandId::Film),
            ("overlay", CommandId::Overlay),
            ("claims", CommandId::Claims),
            ("oracle", CommandId::Oracle),
            ("raw", CommandId::Raw),
            ("code", CommandId::Code),
            ("magnify", CommandId::Magnify),
            ("next-reply", CommandId::NextReply),
            ("previous-reply", CommandId::PreviousReply),
        ],
    },
    Family { name: "suites", brief: "suites of states", members: &[("keep", CommandId::Suite)] },
    Family { name: "theme", brief: "choose a theme", members: &[("list", CommandId::Themes)] },
    Family {
        name: "window",
        brief: "AM and OM",
        members: &[
            ("less-am", CommandId::LessActions),
            ("more-am", CommandId::MoreActions),
            ("less-om", CommandId::LessFrames),
            ("more-om", CommandId::MoreFrames),
        ],
    },
];

impl Family {
    /// What its first command is for.
    pub(crate) fn group(&self) -> Group {
        self.members.first().map_or(Group::Screen, |(_, id)| id.command().group)
    }

    /// Its words with their commands.
    pub(crate) fn members(&self) -> impl Iterator<Item = (&'static str, &'static Command)> {
        self.members.iter().map(|(word, id)| (*word, id.command()))
    }
}

/// The family of this name.
pub(crate) fn find_family(name: &str) -> Option<&'static Family> {
    FAMILIES.iter().find(|family| family.name == name)
}

/// Commands that only keys are for, or that their family does: the rest is listed without a word typed.
const BY_KEY_ONLY: [CommandId; 7] = [
    CommandId::Cancel,
    CommandId::Up,
    CommandId::Down,
    CommandId::Left,
    CommandId::Right,
    CommandId::Palette,
    CommandId::Interrupt,
];

/// Whether a command is listed by itself.
pub(crate) fn is_listed(command: &Command) -> bool {
    let is_member = |family: &Family| family.members.iter().any(|(_, id)| *id == command.id);
    !BY_KEY_ONLY.contains(&command.id)
        && !FAMILIES.iter().any(is_member)
        && find_family(command.name).is_none()
}

/// The command that a line calls, with what follows its name: by its own name, or by its family and its word there.
pub(crate) fn called(line: &str) -> Option<(&'static Command, &str)> {
    let (name, rest) = split(line);
    let (word, after) = split(rest);
    let members = find_family(name).into_iter().flat_map(Family::members);
    let member = members.filter(|(known, _)| *known == word).map(|(_, command)| (command, after)).next();
    member.or_else(|| find_command(name).map(|command| (command, rest)))
}

/// The first word of a line, and what follows it.
pub(crate) fn split(line: &str) -> (&str, &str) {
    let line = line.trim();
    line.split_once(' ').map_or((line, ""), |(word, rest)| (word, rest.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::{ScreenView, commands_in};

    #[test]
    fn a_member_is_called_by_its_own_name_and_by_that_of_its_family() {
        for line in ["tag wall", "annotate tag wall"] {
            let (command, rest) = called(line).unwrap();
            assert_eq!((command.id, rest), (CommandId::Tag, "wall"), "{line}");
        }
        assert_eq!(called("go 42").map(|(command, rest)| (command.id, rest)), Some((CommandId::GoTo, "42")));
        assert_eq!(called("go first").unwrap().0.id, CommandId::First);
        assert_eq!(called("ask samples=3").unwrap().0.id, CommandId::Ask);
        assert!(called("focus").is_none() && called("nonsense").is_none());
    }

    #[test]
    fn every_command_is_listed_by_itself_or_in_a_family() {
        let all = commands_in(ScreenView::Episode);
        let listed = all.clone().filter(|row| is_listed(row)).count();
        let members: usize = FAMILIES.iter().map(|family| family.members.len()).sum();
        let alone = FAMILIES.iter().filter(|family| find_command(family.name).is_some()).count();
        assert_eq!(listed + members + alone + BY_KEY_ONLY.len(), all.count());
    }

    #[test]
    fn families_are_in_order() {
        assert!(FAMILIES.is_sorted_by_key(|family| family.name));
    }
}
