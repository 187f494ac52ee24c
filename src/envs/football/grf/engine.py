# The child process of the real engine: one JSON object a line on standard input, one answer a line on the standard
# output that it was started with. The scene comes as data. The engine prints on standard output, so that descriptor
# becomes the one of errors before the engine is loaded.
import sys

# The current folder is no place for modules.
sys.path[:] = [place for place in sys.path if place not in ("", ".")]

import json
import os
import time

LEVEL = "mageyard_scene"
# Width and height of drawn frames. The engine's cameras are made for this shape.
FRAME = [1280, 720]
ROLES = ["GK", "CB", "LB", "RB", "DM", "CM", "LM", "RM", "AM", "CF"]

answers = os.fdopen(os.dup(1), "wb")
os.dup2(2, 1)
for name, value in (("SDL_VIDEODRIVER", "dummy"), ("PYGAME_HIDE_SUPPORT_PROMPT", "1"),
                    ("OMP_NUM_THREADS", "1"), ("OPENBLAS_NUM_THREADS", "1"), ("MKL_NUM_THREADS", "1")):
    os.environ.setdefault(name, value)
# With a display the engine would open a window.
os.environ.pop("DISPLAY", None)


def answer(**fields):
    write(json.dumps(fields, separators=(",", ":"), allow_nan=False).encode() + b"\n")


def write(content):
    answers.write(content)
    answers.flush()


def short(error):
    return ("%s: %s" % (type(error).__name__, error))[:500]


def installed_version():
    try:
        from importlib import metadata
        return metadata.version("gfootball")
    except Exception:
        return "unknown"


class Engine(object):
    """The game. A scene is a module that exists in memory only."""

    def __init__(self):
        import gfootball_engine
        from gfootball.env import config, football_action_set, football_env_core
        self.library, self.config, self.core = gfootball_engine, config, football_env_core
        self.actions = football_action_set.full_action_set
        self.game, self.saved = None, []

    def load(self, message):
        scene = type(sys)("gfootball.scenarios." + LEVEL)
        scene.build_scenario = lambda builder: self.build(builder, message)
        sys.modules[scene.__name__] = scene
        seed = int(message["seed"])
        values = {"action_set": "full", "level": LEVEL, "players": ["agent:left_players=1"],
                  "game_engine_random_seed": seed, "reverse_team_processing": bool(seed % 2),
                  "dump_full_episodes": False, "dump_scores": False, "write_video": False,
                  "real_time": False, "render": False,
                  "render_resolution_x": FRAME[0], "render_resolution_y": FRAME[1]}
        if self.game is not None:
            self.game.close()
        self.saved = []
        self.game = self.core.FootballEnvCore(self.config.Config(values))
        self.game.reset()
        return self.state()

    def build(self, builder, message):
        rules = builder.config()
        rules.game_duration = 400
        rules.deterministic = False
        rules.offsides = False
        rules.end_episode_on_score = False
        rules.end_episode_on_out_of_play = False
        rules.end_episode_on_possession_change = False
        rules.left_team_difficulty, rules.right_team_difficulty = message["difficulty"]
        scenario = message["scenario"]
        builder.SetBallPosition(*scenario["ball"])
        for side, team in (("left", self.library.e_Team.e_Left), ("right", self.library.e_Team.e_Right)):
            builder.SetTeam(team)
            for role, x, y in scenario[side]:
                role = getattr(self.library.e_PlayerRole, "e_PlayerRole_" + ROLES[ROLES.index(role)])
                builder.AddPlayer(x, y, role)

    def step(self, message):
        self.game.step([self.actions[message["action"]]])
        return self.state()

    def save(self, message):
        # The bytes stay here: they are read by native code and must come from nowhere else.
        self.saved.append(self.game.get_state({}))
        return {"saved": len(self.saved) - 1, "bytes": len(self.saved[-1])}

    def restore(self, message):
        self.game.set_state(self.saved[message["saved"]])
        return self.state()

    def draw(self, message):
        # The renderer is loaded when the first frame is drawn, and draws no other frames. The game stays the same.
        self.game.render("human")
        frame = self.game.observation()["frame"]
        self.game.disable_render()
        height, width, channels = frame.shape
        pixels = frame.astype("uint8").tobytes()
        answer(frame={"width": width, "height": height, "bytes": len(pixels)})
        write(pixels)

    def state(self):
        seen = self.game.observation()
        team = lambda name: {
            "places": seen[name].tolist(),
            "movements": seen[name + "_direction"].tolist(),
            "roles": [int(role) for role in seen[name + "_roles"]],
            "tired": seen[name + "_tired_factor"].tolist(),
        }
        return {"state": {
            "ball": seen["ball"].tolist(),
            "ball_direction": seen["ball_direction"].tolist(),
            "ball_rotation": seen["ball_rotation"].tolist(),
            "owner": [int(seen["ball_owned_team"]), int(seen["ball_owned_player"])],
            "active": int(seen["left_agent_controlled_player"][0]),
            "mode": int(seen["game_mode"]),
            "score": [int(goals) for goals in seen["score"]],
            "sticky": [int(flag) for flag in seen["left_agent_sticky_actions"][0]],
            "left": team("left_team"),
            "right": team("right_team"),
            "steps_left": int(seen["steps_left"]),
        }, "cpu": time.process_time()}


def memory():
    import resource
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def main():
    try:
        engine = Engine()
    except ImportError as error:
        return answer(absent=short(error), python=sys.version.split()[0])
    except Exception as error:
        return answer(error=short(error))
    answer(ready={"version": installed_version(), "python": sys.version.split()[0]})
    for line in sys.stdin:
        message = json.loads(line)
        order = message["order"]
        if order == "quit":
            return None
        try:
            if order == "usage":
                answer(cpu=time.process_time(), memory=memory())
            elif order == "draw":
                engine.draw(message)
            else:
                answer(**getattr(engine, {"load": "load", "step": "step", "save": "save",
                                          "restore": "restore"}[order])(message))
        except Exception as error:
            answer(error=short(error))


main()
