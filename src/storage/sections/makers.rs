/// What is named as a component or a section is, by the beginning of its name, and which call makes a world have it.
const MAKERS: &[(&str, &str)] = &[
    ("component ", "`with_component` of the world's builder, or `register`,"),
    ("resource ", "`insert_resource`"),
    ("events ", "`add_event`, or `event` of the simulation's builder,"),
    ("manager ", "`manager` of the simulation's builder"),
    ("command buffer ", "`command_buffer` of the simulation's builder"),
    ("commands ", "the handler of the type, or `command` or `executing` of the simulation's builder,"),
    ("order of commands", "`Simulation::builder`"),
    ("seed", "`seed` of the world's builder"),
    ("stream ", "a draw from it, or `schedule.build(&mut world)` of the schedule that draws,"),
];

/// What everything else is made by: locals, readers and last runs.
const SCHEDULE: &str = "`schedule.build(&mut world)` of the schedule that has it";

/// Which call makes a world have a component or a section of this name; the name may come from anywhere.
pub(crate) fn maker_of(name: &str) -> &'static str {
    let found = MAKERS.iter().find(|(kind, _)| name.starts_with(kind));
    found.map_or(SCHEDULE, |(_, maker)| maker)
}

/// How two worlds come to have the same where one has `ours` and the other `theirs`; one of them may be `nothing`.
pub(crate) fn how_both_have(ours: &str, theirs: &str) -> String {
    let named = [ours, theirs].map(|name| (name != "nothing").then(|| maker_of(name)));
    match named {
        [Some(ours), Some(theirs)] if ours != theirs => {
            format!("{ours} makes the one, {theirs} the other; do so in the same order in both worlds")
        }
        [Some(maker), _] | [None, Some(maker)] => format!("{maker} makes it; do so in the same order in both worlds"),
        [None, None] => "build both worlds alike".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use core::any::TypeId;

    use super::*;
    use crate::storage::SectionKey;

    #[test]
    fn every_kind_of_section_has_the_call_that_makes_it() {
        use SectionKey::*;
        let id = TypeId::of::<()>();
        let calls = [
            (Resource("R", id), "insert_resource"),
            (Local(1, 1, 0), "schedule.build"),
            (LastRuns(1), "schedule.build"),
            (Seed, "`seed`"),
            (Stream("s".into()), "draw"),
            (Events("E", id), "add_event"),
            (Cursor(1, 1, 0), "schedule.build"),
            (Commands("C", id), "`executing`"),
            (CommandLog, "Simulation::builder"),
            (Manager("M", id), "`manager`"),
            (Buffer("B", id), "`command_buffer`"),
        ];
        for (key, call) in calls {
            assert!(maker_of(&key.to_string()).contains(call), "{key}");
        }
    }

    #[test]
    fn what_only_one_has_is_made_by_one_call() {
        assert!(how_both_have("nothing", "manager M").starts_with("`manager` of"));
        assert!(how_both_have("manager M", "nothing").starts_with("`manager` of"));
        assert_eq!(how_both_have("seed", "resource R").matches("makes").count(), 1);
        assert!(how_both_have("resource A", "resource B").starts_with("`insert_resource` makes it"));
    }
}
