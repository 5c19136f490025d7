"""Settings: which source wins, where a value came from, and what is said when one is unusable."""

from __future__ import annotations

from pathlib import Path

import pytest

from antiphon.config import (
    LEAVES,
    ConfigError,
    LoadedSettings,
    Settings,
    examine_settings,
    load_settings,
)
from antiphon.config.identity_providers import IdentityProviderSettings
from antiphon.registry.sources import CATALOGUE_TOOLS, SHIPPED_TOOLS


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def load(**environment: str) -> LoadedSettings:
    return load_settings(environment=environment)


def problems(config: Path | None = None, **environment: str) -> list[str]:
    return examine_settings(config, environment=environment).problems


def test_defaults_need_no_file_and_no_variable() -> None:
    loaded = load()
    assert loaded.settings == Settings()
    assert loaded.settings.mode == "development"
    assert (loaded.settings.server.host, loaded.settings.server.port) == ("127.0.0.1", 8080)
    assert loaded.settings.tools.folders == [SHIPPED_TOOLS, CATALOGUE_TOOLS]
    assert {value.origin for value in loaded.values()} == {"default"}


def test_default_models_are_the_documented_ones() -> None:
    providers = Settings().providers
    assert providers.gemini.model == "gemini-2.5-flash"
    assert providers.gemini.voice_model == "gemini-2.5-flash-native-audio-preview-12-2025"
    assert providers.claude.model == "claude-sonnet-4-6"


@pytest.mark.parametrize("backend", ["local", "gemini", "openai", "claude"])
def test_one_line_chooses_the_backend_for_text_and_voice(folder: Path, backend: str) -> None:
    assert load().settings.agent.backend == "local"
    (folder / "antiphon.toml").write_text(f"[agent]\nbackend = '{backend}'\n")
    assert load().settings.agent.backend == backend
    assert load(ANTIPHON_AGENT__BACKEND="claude").settings.agent.backend == "claude"


def test_settings_made_in_python_do_not_read_the_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("MODE", "production")
    monkeypatch.setenv("SERVER__PORT", "1")
    assert Settings().mode == "development"


def test_a_tools_folder_in_the_working_directory_is_added_to_the_shipped_ones(folder: Path) -> None:
    (folder / "tools").mkdir()
    assert load().settings.tools.folders == [SHIPPED_TOOLS, CATALOGUE_TOOLS, Path("tools")]


def test_each_source_overrides_the_ones_before_it(folder: Path) -> None:
    port = "server.port"
    seen = []

    def look(flags: dict[str, tuple[str, object]] | None = None, **environment: str) -> None:
        loaded = load_settings(environment=environment, flags=flags)
        seen.append((loaded.settings.server.port, loaded.origins.get(port, "default")))

    look()
    (folder / "antiphon.toml").write_text("[server]\n\nport = 1001\n")
    look()
    (folder / ".env").write_text("ANTIPHON_SERVER__PORT=1002\nSOMETHING_ELSE=x\n")
    look()
    look(ANTIPHON_SERVER__PORT="1003")
    look({port: ("--port", 1004)}, ANTIPHON_SERVER__PORT="1003")
    look({port: ("--port", None)}, ANTIPHON_SERVER__PORT="1003")
    assert seen == [
        (8080, "default"),
        (1001, "antiphon.toml:3"),
        (1002, ".env ANTIPHON_SERVER__PORT"),
        (1003, "environment ANTIPHON_SERVER__PORT"),
        (1004, "flag --port"),
        (1003, "environment ANTIPHON_SERVER__PORT"),
    ]


def test_one_section_may_come_from_several_sources(folder: Path) -> None:
    (folder / "antiphon.toml").write_text('[server]\nhost = "localhost"\nport = 1001\n')
    server = load(ANTIPHON_SERVER__PORT="1003").settings.server
    assert (server.host, server.port) == ("localhost", 1003)


@pytest.mark.parametrize(
    ("variable", "provider", "key"),
    [
        ("GEMINI_API_KEY", "gemini", "api_key"),
        ("OPENAI_API_KEY", "openai", "api_key"),
        ("OPENAI_BASE_URL", "openai", "base_url"),
        ("ANTHROPIC_API_KEY", "claude", "api_key"),
        ("ANTHROPIC_BASE_URL", "claude", "base_url"),
    ],
)
def test_the_providers_usual_variables_count_below_our_own(
    variable: str, provider: str, key: str
) -> None:
    def value(**environment: str) -> str:
        found = getattr(getattr(load(**environment).settings.providers, provider), key)
        return found.get_secret_value() if key == "api_key" else found

    usual = {variable: "http://usual"}
    ours = {f"ANTIPHON_PROVIDERS__{provider.upper()}__{key.upper()}": "http://ours"}
    assert value(**usual) == "http://usual"
    assert value(**usual, **ours) == "http://ours"


def test_an_environment_variable_of_ours_in_dotenv_wins_over_a_usual_one_in_the_environment(
    folder: Path,
) -> None:
    (folder / ".env").write_text("ANTIPHON_PROVIDERS__GEMINI__API_KEY=ours\n")
    key = load(GEMINI_API_KEY="usual").settings.providers.gemini.api_key
    assert key is not None
    assert key.get_secret_value() == "ours"


def test_an_empty_variable_counts_as_not_set() -> None:
    loaded = load(GEMINI_API_KEY="", ANTIPHON_SERVER__PORT="")
    assert loaded.settings == Settings()


def test_lists_in_variables_are_separated_by_commas() -> None:
    loaded = load(ANTIPHON_SERVER__ORIGINS="http://a:1, https://B ", ANTIPHON_TOOLS__FOLDERS="x,y")
    assert loaded.settings.server.origins == ["http://a:1", "https://b"]
    assert loaded.settings.tools.folders == [Path("x"), Path("y")]


def test_paths_in_a_file_are_meant_from_that_files_folder(folder: Path) -> None:
    (folder / "deep").mkdir()
    config = folder / "deep" / "my.toml"
    config.write_text(
        "data = 'state'\n[tools]\nfolders = ['mine', '/abs']\n"
        "[providers.openai]\nca_file = 'ca.pem'\n"
    )
    settings = load_settings(config, environment={}).settings
    assert settings.data == folder / "deep" / "state"
    assert settings.tools.folders == [folder / "deep" / "mine", Path("/abs")]
    assert settings.providers.openai.ca_file == folder / "deep" / "ca.pem"


def test_stores_live_in_the_data_folder_unless_told_otherwise() -> None:
    settings = load(ANTIPHON_DATA="/srv/a", ANTIPHON_TASKS__URL="postgresql://db/tasks").settings
    assert settings.store.url == "sqlite:////srv/a/antiphon.db"
    assert settings.tasks.url == "postgresql://db/tasks"
    assert load().settings.tasks.url is None
    assert settings.registry_file == Path("/srv/a/tool_registry.json")


def test_every_setting_is_reported_and_no_secret_is_shown() -> None:
    secret = "hunter2"
    loaded = load(
        GEMINI_API_KEY=secret,
        ANTIPHON_STORE__URL=f"postgresql://ada:{secret}@db/x?sslpassword={secret}",
        ANTIPHON_PROVIDERS__OPENAI__BASE_URL=f"https://{secret}@proxy/v1",
    )
    shown = {value.name: value.shown for value in loaded.values()}
    assert list(shown) == list(LEAVES)
    assert secret not in str(shown)
    assert secret not in repr(loaded.settings.providers.gemini)
    assert shown["store.url"] == "postgresql://ada:********@db/x?sslpassword=********"
    assert shown["providers.gemini.api_key"] == "********"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "[server]\nport = \n",
            "antiphon.toml: not valid TOML: Invalid value (at line 2, column 8)",
        ),
        (
            "[server]\nprot = 1\n",
            "antiphon.toml:2: unknown setting `server.prot`. Did you mean `server.port`?",
        ),
        (
            "[sever]\nport = 1\n",
            "antiphon.toml:1: unknown setting `sever`. Did you mean `server`?",
        ),
        ("colour = 1\n", "antiphon.toml:1: unknown setting `colour`."),
        ("\nserver = 5\n", "antiphon.toml:2: `server` is a section; write [server]."),
        (
            "[server]\nport = 65536\n",
            "antiphon.toml:2: `server.port` must be a whole number from 0 to 65535, not '65536'.",
        ),
        (
            'mode = "prod"\n',
            'antiphon.toml:1: `mode` must be "development" or "production", not \'prod\'.',
        ),
        (
            '[tools]\nfolders = "tools"\n',
            "antiphon.toml:2: `tools.folders` must be a list of folders, not 'tools'.",
        ),
        (
            '[server]\norigins = ["*"]\n',
            "antiphon.toml:2: `server.origins` holds '*'; an origin is scheme, host and port",
        ),
        (
            '[store]\nurl = "mysql://x"\n',
            "antiphon.toml:2: `store.url` must be a URL that starts with sqlite:// or postgresql://",
        ),
        (
            '[agent]\nbackend = "grok"\n',
            'antiphon.toml:2: `agent.backend` must be "local", "gemini", "openai" or "claude"',
        ),
        (
            '[providers.openai]\nbase_url = "api"\n',
            "antiphon.toml:2: `providers.openai.base_url` must be a URL like https://host/v1",
        ),
    ],
)
def test_what_is_wrong_in_a_file_is_said_in_one_message(folder: Path, text: str, said: str) -> None:
    (folder / "antiphon.toml").write_text(text)
    (problem,) = problems()
    assert problem.startswith(said)
    assert "pydantic" not in problem


@pytest.mark.parametrize(
    ("variable", "value", "said"),
    [
        (
            "ANTIPHON_SERVER__PORT",
            "many",
            "environment ANTIPHON_SERVER__PORT: `server.port` must be a whole number from 0 to "
            "65535, not 'many'.",
        ),
        (
            "ANTIPHON_SERVER__PROT",
            "1",
            "environment ANTIPHON_SERVER__PROT: no such setting. Did you mean "
            "`ANTIPHON_SERVER__PORT`?",
        ),
        ("ANTIPHON_MOD", "x", "environment ANTIPHON_MOD: no such setting. Did you mean"),
        ("ANTIPHON_SERVER", "x", "environment ANTIPHON_SERVER: no such setting."),
    ],
)
def test_what_is_wrong_in_a_variable_is_said_with_its_name(
    variable: str, value: str, said: str
) -> None:
    (problem,) = problems(**{variable: value})
    assert problem.startswith(said)


def test_variables_that_a_cluster_sets_for_a_service_of_that_name_are_no_settings() -> None:
    assert not problems(
        ANTIPHON_SERVICE_HOST="10.0.0.1",
        ANTIPHON_SERVICE_PORT_HTTP="8080",
        ANTIPHON_PORT="tcp://10.0.0.1:8080",
        ANTIPHON_PORT_8080_TCP_ADDR="10.0.0.1",
        ANTIPHON_DEBUG="1",
    )
    assert problems(ANTIPHON_PORT="8081")


def test_everything_wrong_is_reported_at_once_and_the_rest_stays_in_force(folder: Path) -> None:
    (folder / "antiphon.toml").write_text(
        'mode = "production"\n[server]\nport = -1\nprot = 2\n[cache]\nurl = "nowhere"\n'
    )
    with pytest.raises(ConfigError) as raised:
        load(ANTIPHON_X="1")
    assert len(raised.value.problems) == 4
    assert examine_settings(environment={}).settings.mode == "production"
    assert examine_settings(environment={}).settings.server.port == 8080


def test_a_bad_value_of_a_secret_is_not_repeated(folder: Path) -> None:
    (folder / "antiphon.toml").write_text("[providers.gemini]\napi_key = 12345\napikey = 'abcde'\n")
    told = "\n".join(problems())
    assert "`providers.gemini.api_key` must be a string" in told
    assert "Did you mean `providers.gemini.api_key`?" in told
    assert "12345" not in told
    assert "abcde" not in told


def test_a_file_that_was_asked_for_has_to_be_there(folder: Path) -> None:
    assert problems(Path("none.toml")) == ["none.toml: cannot be read: No such file or directory."]
    (folder / "folder.toml").mkdir()
    assert problems(Path("folder.toml")) == ["folder.toml: cannot be read: Is a directory."]
    (folder / "bytes.toml").write_bytes(b"\xff\xfe")
    assert problems(Path("bytes.toml")) == ["bytes.toml: is not UTF-8 text."]


def test_a_line_of_dotenv_that_is_no_assignment_is_named(folder: Path) -> None:
    (folder / ".env").write_text("A=1\n'broken\nB=2\n")
    assert problems() == [".env:2: not of the form NAME=value."]


def test_the_engines_of_speech_have_tables_of_options(folder: Path) -> None:
    (folder / "antiphon.toml").write_text(
        '[speech]\nrecognizer = "openai"\n[speech.recognizer_options]\nmodel = "whisper-1"\n'
        "[speech.turn_options]\nend_ms = 500\n"
    )
    engines = load(OPENAI_API_KEY="sk-1").settings.speech_engines
    assert engines["recognizer"] == "openai"
    assert engines["recognizer_options"] == {"model": "whisper-1", "api_key": "sk-1"}
    assert engines["turn_options"] == {"end_ms": 500}
    assert engines["synthesizer_options"] == {}


def test_a_speech_service_with_its_own_address_does_not_get_the_key_of_another() -> None:
    engines = load(
        OPENAI_API_KEY="sk-1",
        ANTIPHON_SPEECH__SYNTHESIZER="openai",
        ANTIPHON_SPEECH__SYNTHESIZER_OPTIONS='{"base_url": "http://localhost:8000/v1"}',
    ).settings.speech_engines
    assert engines["synthesizer_options"] == {"base_url": "http://localhost:8000/v1"}


def test_options_that_are_no_table_are_refused_and_keys_in_them_are_masked() -> None:
    assert problems(ANTIPHON_SPEECH__VAD_OPTIONS="folder") == [
        "environment ANTIPHON_SPEECH__VAD_OPTIONS: `speech.vad_options` must be JSON such as "
        '{"threads": 2}.'
    ]
    assert "a table of options" in problems(ANTIPHON_SPEECH__VAD_OPTIONS="3")[0]
    loaded = load(ANTIPHON_SPEECH__RECOGNIZER_OPTIONS='{"api_key": "sk-1", "model": "m"}')
    (shown,) = [v.shown for v in loaded.values() if v.name == "speech.recognizer_options"]
    assert shown == {"api_key": "********", "model": "m"}


def test_identity_providers_have_sections_of_their_own(folder: Path) -> None:
    (folder / "antiphon.toml").write_text(
        '[access.oidc.corp]\nissuer = "https://id.example.org"\nclient_id = "antiphon"\n'
        'email_domains = ["Example.org"]\n[access.oidc.corp.roles]\nstaff = ["member"]\n'
    )
    loaded = load(
        ANTIPHON_ACCESS__OIDC__CORP__CLIENT_SECRET="s3cret",
        ANTIPHON_ACCESS__OIDC__CORP__GROUPS='{"staff": ["sales"]}',
        ANTIPHON_ACCESS__OIDC__CORP__SCOPES="openid, groups",
    )
    corp = loaded.settings.access.oidc.by_name["corp"]
    for issuer in ("http://localhost:8443", "http://[::1]:9000/a", "https://x.y/realms/a~b:1@c"):
        IdentityProviderSettings(issuer=issuer, client_id="x")
    assert (corp.issuer, corp.client_id) == ("https://id.example.org", "antiphon")
    assert (corp.roles, corp.groups) == ({"staff": ["member"]}, {"staff": ["sales"]})
    assert (corp.scopes, corp.email_domains) == (["openid", "groups"], ["example.org"])
    assert not corp.create_users
    shown = {value.name: value.shown for value in loaded.values()}
    assert shown["access.oidc.corp.client_secret"] == "********"
    assert "s3cret" not in repr(loaded)


@pytest.mark.parametrize(
    ("toml", "said"),
    [
        ('issuer = "https://id.example.org"', "[access.oidc.corp] needs `client_id`."),
        ('client_id = "x"', "[access.oidc.corp] needs `issuer`."),
        ('issuer = "http://id.example.org"\nclient_id = "x"', "must be the issuer's URL"),
        ('issuer = "https://id.example.org:22"\nclient_id = "x"', "is no web port"),
        ('issuer = "https://id.example.org:99999"\nclient_id = "x"', "is no web port"),
        ('issuer = "https://id..example.org"\nclient_id = "x"', "must be the issuer's URL"),
        ('issuer = "https://id example.org"\nclient_id = "x"', "must be the issuer's URL"),
        ('issuer = "http://[::2]:9000"\nclient_id = "x"', "must be the issuer's URL"),
        ('issuer = "https://me@id.example.org"\nclient_id = "x"', "must be the issuer's URL"),
        ('issuer = "https://id.example.org/?a"\nclient_id = "x"', "must be the issuer's URL"),
        ('issuer = "https://id.example.org/#a"\nclient_id = "x"', "must be the issuer's URL"),
        ('issuer = "https://id.example.org?a"\nclient_id = "x"', "must be the issuer's URL"),
        ('issuer = "https://id.example.org:x"\nclient_id = "x"', "issuer"),
        (
            'issuer = "http://localhost:9000"\nclient_id = "x"\nscopes = ["email"]',
            "openid among its scopes",
        ),
        (
            'issuer = "http://localhost:9000"\nclient_id = "x"\nemail_domains = ["@a.org"]',
            "write domains",
        ),
        (
            'issuer = "http://localhost:9000"\nclient_id = "x"\nroles = ["a"]',
            "must be a table of lists",
        ),
        ('secret = "x"', "unknown setting `access.oidc.corp.secret`"),
    ],
)
def test_an_identity_provider_that_cannot_be_used_is_told(
    folder: Path, toml: str, said: str
) -> None:
    (folder / "antiphon.toml").write_text(f"[access.oidc.corp]\n{toml}\n")
    found = problems()
    assert any(said in problem for problem in found), found
    (folder / "antiphon.toml").write_text("[access]\noidc = 5\n")
    assert "is a section" in problems()[0]
    (folder / "antiphon.toml").write_text('[access.oidc."../x"]\nissuer = "https://a.org"\n')
    assert "unknown setting" in problems()[0]
