// src/i18n/de.json
var Action = "Aktion";
var Actions = "Aktionen";
var Active = "Aktiv";
var Activity = "Aktivität";
var Add = "Hinzufügen";
var Address = "Adresse";
var After = "Nach";
var Agenda = "Agenda";
var Agent = "Agent";
var Agents = "Agenten";
var All = "Alle";
var Analytics = "Analyse";
var Answered = "Beantwortet";
var Appearance = "Darstellung";
var Apply = "Anwenden";
var Approvals = "Freigaben";
var Approve = "Freigeben";
var Approved = "Freigegeben";
var Area = "Bereich";
var Arguments = "Argumente";
var Ask = "Fragen";
var Asked = "Gefragt";
var At = "Um";
var Audit = "Audit";
var Automatic = "Automatisch";
var Automations = "Automatisierungen";
var Availability = "Verfügbarkeit";
var Available = "Verfügbar";
var Back = "Zurück";
var Betweenness = "Vermittlung";
var Budgets = "Budgets";
var Busy = "Beschäftigt";
var Calendar = "Kalender";
var Calendars = "Kalender";
var Calls = "Aufrufe";
var Cancel = "Abbrechen";
var Canonical = "Kanonisch";
var Captions = "Untertitel";
var Category = "Kategorie";
var Changed = "Geändert";
var Chat = "Chat";
var Clear = "Löschen";
var Clock = "Uhrzeit";
var Close = "Schließen";
var Communities = "Gemeinschaften";
var Comparison = "Vergleich";
var Components = "Komponenten";
var Confirmation = "Bestätigung";
var Contract = "Vertrag";
var Contribution = "Beitrag";
var Conversation = "Unterhaltung";
var Conversations = "Gespräche";
var Copied = "Kopiert";
var Copy = "Kopieren";
var Create = "Anlegen";
var Dark = "Dunkel";
var Databases = "Datenbanken";
var Day = "Tag";
var Decision = "Entscheidung";
var Degree = "Grad";
var Delete = "Löschen";
var Denied = "Abgelehnt";
var Density = "Dichte";
var Description = "Beschreibung";
var Details = "Einzelheiten";
var Difference = "Unterschied";
var Digest = "Prüfsumme";
var Direction = "Richtung";
var Dismiss = "Schließen";
var Done = "Fertig";
var Download = "Herunterladen";
var Duration = "Dauer";
var Edges = "Kanten";
var Edit = "Bearbeiten";
var Ended = "Beendet";
var Ends = "Ende";
var Entities = "Entitäten";
var Envelope = "Envelope";
var Error = "Fehler";
var Event = "Ereignis";
var Events = "Termine";
var Everywhere = "Überall";
var Examples = "Beispiele";
var Execution = "Ausführung";
var Expand = "Aufklappen";
var Experts = "Experten";
var Expired = "Abgelaufen";
var Expires = "Läuft ab";
var Export = "Exportieren";
var Failed = "Fehlgeschlagen";
var Failures = "Fehlschläge";
var Files = "Dateien";
var Filter = "Filter";
var Filters = "Filter";
var Focus = "In die Mitte";
var Follow = "Mitlaufen";
var Free = "Frei";
var From = "Von";
var Function = "Funktion";
var Gallery = "Galerie";
var Gates = "Prüfschritte";
var Graph = "Graph";
var Guests = "Gäste";
var Guide = "Anleitung";
var Handlers = "Handler";
var Hidden = "Ausgeblendet";
var Hide = "Ausblenden";
var High = "Hoch";
var Hour = "Stunde";
var ID = "ID";
var Idempotent = "Idempotent";
var Idle = "Ruhend";
var Import = "Importieren";
var Imported = "Importiert";
var Input = "Eingabe";
var Isolated = "Isoliert";
var Isolation = "Isolierung";
var Knowledge = "Wissen";
var Language = "Sprache";
var Light = "Hell";
var Line = "Zeile";
var Lines = "Zeilen";
var Loading = "Wird geladen";
var Location = "Ort";
var Lookups = "Abfragen";
var Low = "Gering";
var Macros = "Makros";
var Meaning = "Bedeutung";
var Metadata = "Metadaten";
var Metric = "Messwert";
var Metrics = "Metriken";
var Microphone = "Mikrofon";
var Mode = "Modus";
var Model = "Modell";
var Models = "Modelle";
var Modes = "Modi";
var Month = "Monat";
var More = "Mehr";
var Name = "Name";
var Neighbours = "Nachbarn";
var New = "Neu";
var Newer = "Neuere";
var Newest = "Neueste";
var Next = "Weiter";
var Notes = "Notizen";
var Nothing = "Nichts";
var Notifications = "Meldungen";
var Now = "Jetzt";
var Off = "Aus";
var Older = "Ältere";
var On = "An";
var Open = "Öffnen";
var Optional = "Optional";
var Outcome = "Ergebnis";
var Outline = "Gliederung";
var Output = "Ausgabe";
var Pages = "Seiten";
var Part = "Anteil";
var Paused = "Pausiert";
var Pending = "Ausstehend";
var Person = "Person";
var Playbook = "Playbook";
var Playbooks = "Playbooks";
var Previous = "Zurück";
var Problem = "Problem";
var Progress = "Fortschritt";
var Projects = "Projekte";
var Provider = "Anbieter";
var Question = "Frage";
var Queued = "In der Warteschlange";
var Ran = "Ausgeführt";
var Range = "Umfang";
var Readable = "Lesbar";
var Ready = "Bereit";
var Reason = "Grund";
var Recent = "Zuletzt";
var Record = "Datensatz";
var Recording = "Aufnahme";
var Records = "Datensätze";
var Refusals = "Verweigerungen";
var Refuse = "Verweigern";
var Related = "Zugehöriges";
var Relation = "Beziehung";
var Relations = "Beziehungen";
var Reload = "Neu laden";
var Remove = "Entfernen";
var Repeats = "Wiederholung";
var Replay = "Wiederholen";
var Replayed = "Wiederholt beantwortet";
var Reset = "Zurücksetzen";
var Response = "Antwort";
var Result = "Ergebnis";
var Results = "Ergebnisse";
var Resume = "Fortsetzen";
var Resumed = "Fortgesetzt";
var Retrieval = "Abruf";
var Review = "Ansehen";
var Revoke = "Widerrufen";
var Risk = "Risiko";
var Rule = "Regel";
var Run = "Ausführen";
var Running = "Läuft";
var Runs = "Läufe";
var Save = "Speichern";
var Scheduled = "Nach Zeitplan";
var Schedules = "Zeitpläne";
var Score = "Bewertung";
var Search = "Suche";
var Sections = "Abschnitte";
var Session = "Sitzung";
var Sessions = "Sitzungen";
var Settings = "Einstellungen";
var Skipped = "Übersprungen";
var Source = "Quelle";
var Sources = "Quellen";
var Speaker = "Lautsprecher";
var Started = "Begonnen";
var Starts = "Beginn";
var Status = "Status";
var Steps = "Schritte";
var Stop = "Stoppen";
var Stopped = "Gestoppt";
var Succeeded = "Erfolgreich";
var Tags = "Schlagwörter";
var Talk = "Sprechen";
var Target = "Ziel";
var Tentative = "Mit Vorbehalt";
var Test = "Testen";
var Text = "Text";
var Theme = "Design";
var Themes = "Designs";
var Then = "Damals";
var This = "Das";
var Time = "Zeit";
var Timeline = "Verlauf";
var Timeout = "Zeitgrenze";
var Title = "Titel";
var To = "Bis";
var Today = "Heute";
var Tool = "Werkzeug";
var Tools = "Werkzeuge";
var Total = "Summe";
var Tour = "Rundgang";
var Trace = "Trace";
var Traces = "Traces";
var Turns = "Runden";
var Type = "Typ";
var Types = "Typen";
var Unblock = "Entsperren";
var Unchanged = "Unverändert";
var Undo = "Rückgängig";
var Unsaved = "Nicht gespeichert";
var Until = "Bis";
var Untitled = "Ohne Titel";
var Upcoming = "Demnächst";
var Updated = "Aktualisiert";
var Uploading = "Wird hochgeladen";
var Usage = "Nutzung";
var User = "Benutzer";
var Utility = "Hilfsmittel";
var Value = "Wert";
var Verify = "Prüfen";
var Version = "Version";
var View = "Ansicht";
var Voice = "Sprache";
var Wait = "Warten";
var Waiting = "Wartet";
var Waterfall = "Wasserfall";
var Week = "Woche";
var Weight = "Gewicht";
var When = "Wann";
var Withdrawn = "Zurückgezogen";
var Words = "Wörter";
var Workflows = "Workflows";
var Writes = "Änderungen";
var always = "immer";
var any = "beliebig";
var anything = "irgendetwas";
var approved = "freigegeben";
var browse = "auswählen";
var characters = {
	"one": "Zeichen",
	"other": "Zeichen"
};
var closed = "geschlossen";
var done = "fertig";
var empty = "leer";
var entries = {
	"one": "Eintrag",
	"other": "Einträge"
};
var expected = "erwartet";
var failed = "fehlgeschlagen";
var forever = "unbegrenzt";
var graph = "Graph";
var input = "Eingabe";
var items = {
	"one": "Element",
	"other": "Elemente"
};
var list = "Liste";
var no = "nein";
var none = "keine";
var nothing = "nichts";
var number = "Zahl";
var object = "Objekt";
var one = "einer";
var refused = "verweigert";
var repeats = "wiederholt sich";
var replayed = "wiederholt beantwortet";
var required = "erforderlich";
var running = "läuft";
var set = "gesetzt";
var shared = "gemeinsam";
var skipped = "übersprungen";
var started = "gestartet";
var stopped = "gestoppt";
var stops = "stoppt";
var succeeded = "erfolgreich";
var text = "Text";
var today = "heute";
var total = "gesamt";
var unique = "nur einmal";
var untitled = "ohne Titel";
var voice = "Sprache";
var waited = "gewartet";
var writes = "schreibt";
var yes = "ja";
var yours = "Ihrer";
var de_default = {
	"(created in {zone})": "(angelegt in {zone})",
	"(form {number})": "(Form {number})",
	"(no name)": "(ohne Namen)",
	"0 or more": "0 oder mehr",
	"1 day before": "1 Tag vorher",
	"1 hour before": "1 Stunde vorher",
	"1 of {count}": "1 von {count}",
	"10 minutes before": "10 Minuten vorher",
	"15 minutes before": "15 Minuten vorher",
	"30 minutes before": "30 Minuten vorher",
	"5 minutes before": "5 Minuten vorher",
	"A background task. It was decided when it was requested.": "Eine Hintergrundaufgabe. Entschieden wurde, als sie angefordert wurde.",
	"A database with this ID already exists.": "Eine Datenbank mit dieser ID gibt es schon.",
	"A dry run shows what would be called, with which values, and where I would have to ask you. Nothing happens yet.": "Ein Probelauf zeigt, was mit welchen Werten aufgerufen würde und wo ich Sie fragen müsste. Es geschieht noch nichts.",
	"A key or permission is needed. See Settings.": "Ein Schlüssel oder eine Berechtigung fehlt. Siehe Einstellungen.",
	"A macro is a little routine of yours. Say its phrase, and all of its steps run one after the other.": "Ein Makro ist eine kleine eigene Routine. Sagen Sie seinen Satz, und alle Schritte laufen nacheinander.",
	"A new version is available. What you typed is kept.": "Eine neue Version ist da. Was Sie getippt haben, bleibt erhalten.",
	"A person must approve this": "Ein Mensch muss das freigeben",
	"A project names what you work on. Everything that mentions it in your databases, calendar and runs is collected here.": "Ein Projekt gibt dem einen Namen, woran Sie arbeiten. Was es in Datenbanken, Kalender und Läufen erwähnt, wird hier gesammelt.",
	"A run continues in the background, even when you leave this page.": "Ein Lauf geht im Hintergrund weiter, auch wenn Sie diese Seite verlassen.",
	"A run continues on the server, even when you leave this page.": "Ein Lauf geht auf dem Server weiter, auch wenn Sie diese Seite verlassen.",
	"A run would stop at step {step} and ask you first.": "Ein Lauf würde bei Schritt {step} anhalten und Sie fragen.",
	"A run would stop at step {step}: {reason}": "Ein Lauf würde bei Schritt {step} anhalten: {reason}",
	"A step needs your approval.": "Ein Schritt braucht Ihre Freigabe.",
	"A tool tried to change the session and was not allowed to: {reason}.": "Ein Werkzeug wollte die Sitzung ändern und durfte nicht: {reason}.",
	"API description": "API-Beschreibung",
	"About {count} tokens.": "Etwa {count} Tokens.",
	"About {shown}": "Über {shown}",
	"About {tool}": "Über {tool}",
	"Access denied": "Kein Zugriff",
	Action,
	Actions,
	Active,
	"Active now": "Gerade aktiv",
	Activity,
	Add,
	"Add a description": "Beschreibung hinzufügen",
	"Add an event": "Termin hinzufügen",
	"Add an event here or by voice. I always ask before I write anything into your calendar.": "Legen Sie hier oder mit der Stimme einen Termin an. Bevor ich etwas in Ihren Kalender schreibe, frage ich immer.",
	"Add edge": "Kante hinzufügen",
	"Add entry": "Eintrag hinzufügen",
	"Add item": "Element hinzufügen",
	"Add knowledge first": "Fügen Sie zuerst Wissen hinzu",
	"Add schedule": "Zeitplan hinzufügen",
	"Add step": "Schritt hinzufügen",
	"Add text": "Text hinzufügen",
	"Add text about it": "Text darüber hinzufügen",
	"Add to {name}": "Zu {name} hinzufügen",
	"Add to {title}": "Zu {title} hinzufügen",
	"Add your own: JSON files with {members}, in {folder}.": "Eigene hinzufügen: JSON-Dateien mit {members}, in {folder}.",
	"Add your own: Markdown files with {members} at the top, in {folder}. They are available at once.": "Eigene hinzufügen: Markdown-Dateien mit {members} am Anfang, in {folder}. Sie sind sofort verfügbar.",
	"Add your own: TOML files with {members}, in {folder}.": "Eigene hinzufügen: TOML-Dateien mit {members}, in {folder}.",
	"Add {count} files": {
		"one": "{count} Datei hinzufügen",
		"other": "{count} Dateien hinzufügen"
	},
	Address,
	"Admin token": "Admin-Token",
	"Admin token for blocks": "Admin-Token für Sperren",
	After,
	Agenda,
	Agent,
	"Agent default": "Wie der Agent",
	Agents,
	"Agents Tour": "Rundgang: Agenten",
	All,
	"All agents": "Alle Agenten",
	"All approvals are here, newest first. Open ones show how long they wait. Open one to see each value and decide, or select several and deny them at once.": "Hier stehen alle Freigaben, die neuesten zuerst. Offene zeigen, wie lange sie noch warten. Öffnen Sie eine, um jeden Wert zu sehen und zu entscheiden, oder wählen Sie mehrere und lehnen Sie sie zusammen ab.",
	"All calls in the audit": "Alle Aufrufe im Audit",
	"All day": "Ganztägig",
	"All experts": "Alle Experten",
	"All macros": "Alle Makros",
	"All metrics": "Alle Metriken",
	"All neighbours of {id} are shown.": "Alle Nachbarn von {id} werden angezeigt.",
	"All pages": "Alle Seiten",
	"All playbooks": "Alle Playbooks",
	"All projects": "Alle Projekte",
	"All records": "Alle Datensätze",
	"All records and edges of {title}, one per line. The file can be imported again, here or elsewhere.": "Alle Datensätze und Kanten von {title}, je eine Zeile. Die Datei lässt sich hier oder anderswo wieder importieren.",
	"All tools": "Alle Werkzeuge",
	"All workflows": "Alle Workflows",
	"All {count} lines are intact: none was changed, moved, added or removed.": {
		"one": "Die einzige Zeile ist unversehrt.",
		"other": "Alle {count} Zeilen sind unversehrt: keine wurde geändert, verschoben, hinzugefügt oder entfernt."
	},
	"Always, until I revoke it in Settings": "Immer, bis ich es in den Einstellungen widerrufe",
	"An .ics file from any calendar app. Importing the same file again changes nothing.": "Eine .ics-Datei aus einem beliebigen Kalenderprogramm. Dieselbe Datei noch einmal zu importieren ändert nichts.",
	"An agent can block a user for a while. Blocked users are listed here until the time is up.": "Ein Agent kann einen Benutzer eine Zeit lang sperren. Gesperrte stehen hier, bis die Zeit um ist.",
	"An answer about {tool} was not accepted: {reason}.": "Eine Antwort zu {tool} wurde nicht angenommen: {reason}.",
	"An empty list is sent.": "Eine leere Liste wird gesendet.",
	"An expert answers from one database and cites its sources.": "Ein Experte antwortet aus einer Datenbank und nennt seine Quellen.",
	"An expert is a persona that knows one database. Choose the one whose subject you care about.": "Ein Experte ist eine Persona, die eine Datenbank kennt. Wählen Sie den, dessen Thema Sie interessiert.",
	Analytics,
	"And for the voice: how long until you hear me, and how fast I fall silent when you speak.": "Und zur Stimme: wie lange es dauert, bis Sie mich hören, und wie schnell ich schweige, wenn Sie sprechen.",
	"And here you choose the model. The built-in one needs no key and no network.": "Und hier wählen Sie das Modell. Das eingebaute braucht keinen Schlüssel und kein Netz.",
	"And these are the limits that I keep to in every turn.": "Und das sind die Grenzen, an die ich mich in jeder Runde halte.",
	"And these numbers show the graph from above: who is central, and what belongs together.": "Und diese Zahlen zeigen den Graphen von oben: wer zentral ist und was zusammengehört.",
	"And {count} more.": "Und {count} weitere.",
	"Answer not accepted": "Antwort nicht angenommen",
	"Answer playing": "Antwort ist zu hören",
	Answered,
	"Answered at {gate} after {count} gates": {
		"one": "Beantwortet bei {gate} nach {count} Prüfschritt",
		"other": "Beantwortet bei {gate} nach {count} Prüfschritten"
	},
	"Answered early": "Vorzeitig beantwortet",
	"Answers from {database}, {types} first.": "Antwortet aus {database}, zuerst {types}.",
	"Answers from {database}.": "Antwortet aus {database}.",
	"Answers name the nodes they rest on. Follow a citation to see it in the graph.": "Antworten nennen die Datensätze, auf denen sie beruhen. Folgen Sie einem Beleg, um ihn im Graphen zu sehen.",
	"Any JSON object.": "Beliebiges JSON-Objekt.",
	Appearance,
	"Applies from the next conversation.": "Gilt ab der nächsten Unterhaltung.",
	Apply,
	"Approval answered": "Freigabe beantwortet",
	"Approval applies": "Die Freigabe gilt",
	"Approval asked at {gate} after {count} gates": {
		"one": "Freigabe angefragt bei {gate} nach {count} Prüfschritt",
		"other": "Freigabe angefragt bei {gate} nach {count} Prüfschritten"
	},
	"Approval of {tool}: {outcome}.": "Freigabe von {tool}: {outcome}.",
	Approvals,
	"Approvals Tour": "Rundgang: Freigaben",
	Approve,
	"Approve with changes": "Mit Änderungen freigeben",
	Approved,
	"Approved and done: {what}.": "Freigegeben und erledigt: {what}.",
	"Approved by voice.": "Mit der Stimme freigegeben.",
	"Approved by you. A second person must approve it too: {what}.": "Von Ihnen freigegeben. Eine zweite Person muss es auch freigeben: {what}.",
	"Approved by {names}. A second person must approve it too.": "Freigegeben von {names}. Eine zweite Person muss es auch freigeben.",
	"Approved in another window: {what}.": "In einem anderen Fenster freigegeben: {what}.",
	"Approved with your changes and done.": "Mit Ihren Änderungen freigegeben und erledigt.",
	"Approved, but it failed: {message}": "Freigegeben, aber fehlgeschlagen: {message}",
	Area,
	Arguments,
	"Arguments of step {number}": "Argumente von Schritt {number}",
	"Arguments of {id}": "Argumente von {id}",
	"Around the best-connected record": "Um den am besten verbundenen Datensatz herum",
	"Around {centre}": "Um {centre} herum",
	"Arrow keys move between nodes, Enter expands the neighbours, O opens the record, Delete hides the node, Shift with an arrow key pans, plus and minus zoom, 0 fits the view, C centres the node, Escape clears the selection.": "Pfeiltasten gehen von Knoten zu Knoten, Enter klappt die Nachbarn auf, O öffnet den Datensatz, Entf blendet den Knoten aus, Umschalt mit Pfeiltaste verschiebt, Plus und Minus zoomen, 0 zeigt alles, C stellt den Knoten in die Mitte, Escape hebt die Auswahl auf.",
	"As a Model Context Protocol server would list it.": "So, wie ein Model-Context-Protocol-Server es auflistet.",
	Ask,
	"Ask first": "Erst fragen",
	"Ask for anything here. I search by words, by meaning and by neighbourhood, all at once.": "Fragen Sie hier nach allem. Ich suche zugleich nach Wörtern, nach Bedeutung und in der Nachbarschaft.",
	"Ask me when you are free, and the open slots light up here.": "Fragen Sie mich, wann Sie frei sind, und die freien Zeiten erscheinen hier.",
	"Ask something to see how long each part took: the model, each tool with its gates, and the first sound.": "Fragen Sie etwas und sehen Sie hier, was wie lange dauerte: das Modell, jedes Werkzeug mit seinen Prüfschritten und der erste Ton.",
	"Ask something. {name} remembers the conversation until you start a new one.": "Fragen Sie etwas. {name} merkt sich die Unterhaltung, bis Sie eine neue beginnen.",
	"Ask your question here. The expert remembers what you talked about before.": "Stellen Sie hier Ihre Frage. Der Experte weiß noch, worüber Sie gesprochen haben.",
	"Ask: {question}": "Fragen: {question}",
	Asked,
	"Assembled by rules": "Nach Regeln zusammengestellt",
	At: "Um",
	"At its start": "Zu Beginn",
	"At minute": "Zur Minute",
	"At most 200 characters.": "Höchstens 200 Zeichen.",
	"At most {maxItems}": "Höchstens {maxItems}",
	Audit,
	"Audit Tour": "Rundgang: Audit",
	"Audit line {number}": "Audit-Zeile {number}",
	"Audit lines": "Audit-Zeilen",
	"Audit lines. Select a line number to open it.": "Zeilen des Audits. Die Zeilennummer öffnet die Zeile.",
	Automatic,
	Automations,
	Availability,
	Available,
	Back,
	"Back to the form": "Zurück zum Formular",
	Betweenness,
	"Blocked users": "Gesperrte Benutzer",
	"Blocked {when}: {reason}": "Gesperrt {when}: {reason}",
	"Browser default": "Wie der Browser",
	Budgets,
	"Budgets by agent": "Budgets je Agent",
	"Build one here, or ask for one in a conversation: “Make a macro called good morning …”.": "Legen Sie hier eines an oder bitten Sie in einer Unterhaltung darum: „Make a macro called good morning …“.",
	"Build the steps here. The output of one step can be passed to the next.": "Bauen Sie hier die Schritte. Die Ausgabe eines Schritts kann an den nächsten gehen.",
	"Built-in model": "Eingebautes Modell",
	Busy,
	"By a person, by the provider, or because nobody approved it.": "Von einem Menschen, vom Anbieter oder weil niemand freigegeben hat.",
	"By keyboard: {key} enters the graph, arrow keys move between nodes, {key2} expands, {key3} opens, {key4} hides, {key5} with arrow keys pans, {key6} {key7} {key8} zoom.": "Mit der Tastatur: {key} in den Graphen, Pfeiltasten von Knoten zu Knoten, {key2} klappt auf, {key3} öffnet, {key4} blendet aus, {key5} mit Pfeiltasten verschiebt, {key6} {key7} {key8} zoomen.",
	Calendar,
	"Calendar Tour": "Rundgang: Kalender",
	"Calendar events": "Terminen",
	"Calendar files": "Kalenderdateien",
	"Calendar view": "Kalenderansicht",
	Calendars,
	"Calendars and free time": "Kalender und freie Zeit",
	Calls,
	"Calls are validated against this, whatever form the model saw.": "Dagegen werden Aufrufe geprüft, gleich welche Form das Modell sah.",
	"Calls in this visit ({count})": "Aufrufe in diesem Besuch ({count})",
	"Calls over HTTP, text mode": "Aufrufe über HTTP, Textmodus",
	"Calls over HTTP, voice mode": "Aufrufe über HTTP, Sprachmodus",
	"Calls whose decision would change": "Aufrufe, deren Entscheidung sich ändern würde",
	"Can write": "Können schreiben",
	Cancel,
	"Cannot be undone": "Lässt sich nicht rückgängig machen",
	Canonical,
	Captions,
	Category,
	"Change filter {name}": "Filter {name} ändern",
	"Change the arguments, or start another turn.": "Ändern Sie die Argumente oder beginnen Sie eine neue Runde.",
	"Change the input and run it again.": "Ändern Sie die Eingabe und starten Sie noch einmal.",
	"Change values": "Werte ändern",
	Changed,
	"Changed before approval": "Vor der Freigabe geändert",
	"Changed meanwhile": "Inzwischen geändert",
	"Changed since": "Geändert seit",
	"Changed until": "Geändert bis",
	"Changed values": "Geänderte Werte",
	"Changed {when} · ID {id}": "Geändert {when} · ID {id}",
	Chat,
	"Chat Completions; the Responses and Realtime APIs get the same, one level flatter.": "Chat Completions; die APIs Responses und Realtime bekommen dasselbe, eine Ebene flacher.",
	"Chat Tour": "Rundgang: Chat",
	"Check the closest names; the registry may have changed.": "Sehen Sie die ähnlichsten Namen an; das Verzeichnis kann sich geändert haben.",
	"Check whether it took effect before you repeat it.": "Prüfen Sie vor einer Wiederholung, ob es wirksam wurde.",
	"Choose a date.": "Wählen Sie ein Datum.",
	"Choose a file": "Datei auswählen",
	"Choose a function": "Funktion wählen",
	"Choose a mode that the tool allows.": "Wählen Sie einen Modus, den das Werkzeug erlaubt.",
	"Choose a phrase that comes easily to you, like: good morning. I understand it even when you say it a little differently.": "Wählen Sie einen Satz, der Ihnen leicht einfällt, etwa: good morning. Ich verstehe ihn auch, wenn Sie ihn etwas anders sagen.",
	"Choose a playbook": "Wählen Sie ein Playbook",
	"Choose a step": "Schritt wählen",
	"Choose an .ics file first.": "Wählen Sie zuerst eine .ics-Datei.",
	"Choose an expert": "Wählen Sie einen Experten",
	"Choose another, or save anyway.": "Wählen Sie eine andere oder speichern Sie trotzdem.",
	"Choose the default model. The built-in one always works; the others need a key.": "Wählen Sie das Standardmodell. Das eingebaute geht immer; die anderen brauchen einen Schlüssel.",
	"Choose the step that a value comes from.": "Wählen Sie den Schritt, aus dem ein Wert kommt.",
	"Choose the voice that you would like to hear. The built-in model has its own; Gemini brings sixteen more.": "Wählen Sie die Stimme, die Sie hören möchten. Das eingebaute Modell hat eine eigene; Gemini bringt sechzehn weitere mit.",
	"Choose…": "Auswählen …",
	Clear,
	"Clear filters": "Filter löschen",
	"Clear list": "Liste leeren",
	"Click a node to select it and show its neighbours; a ring marks nodes with more. Drag nodes to move them, and the background to pan. Pinch or scroll to zoom.": "Klicken Sie einen Knoten an, um ihn auszuwählen und seine Nachbarn zu zeigen; ein Ring heißt, dass es mehr gibt. Ziehen Sie Knoten oder den Hintergrund, um sie zu verschieben. Mit zwei Fingern oder dem Mausrad zoomen Sie.",
	Clock,
	Close,
	"Close tour": "Rundgang schließen",
	"Close what is open; in an approval: deny": "Offenes schließen; bei einer Freigabe: ablehnen",
	"Closest: {names}": "Am ähnlichsten: {names}",
	Communities,
	"Compare with": "Vergleichen mit",
	Comparison,
	Components,
	Confirmation,
	"Connecting…": "Verbindung wird aufgebaut …",
	"Connections {count}": "Verbindungen {count}",
	"Continues an earlier session": "Setzt eine frühere Sitzung fort",
	Contract,
	Contribution,
	Conversation,
	"Conversation Tour": "Rundgang: Unterhaltung",
	"Conversation with {name}": "Unterhaltung mit {name}",
	Conversations,
	"Convert it to JSON Lines, with one record or edge per line (.jsonl).": "Wandeln Sie sie in JSON Lines um, mit einem Datensatz oder einer Kante je Zeile (.jsonl).",
	Copied,
	Copy,
	"Copy ID": "ID kopieren",
	"Copy JSON": "JSON kopieren",
	"Copy SVG": "SVG kopieren",
	"Copy link": "Link kopieren",
	"Copy link to this page": "Link zu dieser Seite kopieren",
	"Copy name": "Namen kopieren",
	"Copy result": "Ergebnis kopieren",
	"Copy these arguments into the form": "Diese Argumente ins Formular übernehmen",
	Create,
	"Create a new one here, or just tell me: create a project called Aurora.": "Legen Sie hier ein neues an oder sagen Sie mir einfach: create a project called Aurora.",
	"Create an event, ask the agent to find a time, or import a calendar file.": "Legen Sie einen Termin an, lassen Sie den Agenten eine Zeit finden oder importieren Sie eine Kalenderdatei.",
	"Create event": "Termin anlegen",
	"Create one above, or restore the sample: delete {code} in the knowledge folder and restart the server.": "Legen Sie oben eine an oder stellen Sie das Beispiel wieder her: Löschen Sie {code} im Ordner „knowledge“ und starten Sie den Server neu.",
	"Create project": "Projekt anlegen",
	"Cron expression": "Cron-Ausdruck",
	"Currently {model}": "Derzeit {model}",
	"Custom rule": "Eigene Regel",
	"Cut short by a crash": "Durch Absturz abgebrochen",
	Dark,
	"Dark theme": "Dunkles Design",
	"Database {title} created. Add something to it.": "Datenbank {title} angelegt. Fügen Sie etwas hinzu.",
	"Database {title} deleted.": "Datenbank {title} gelöscht.",
	Databases,
	"Databases: {names}.": "Datenbanken: {names}.",
	Day: "Tag",
	"Decide what happens when a step fails: stop, skip it, or try again.": "Entscheiden Sie, was geschieht, wenn ein Schritt fehlschlägt: stoppen, überspringen oder noch einmal versuchen.",
	"Decided, not run": "Entschieden, nicht ausgeführt",
	Decision,
	"Default model": "Standardmodell",
	Degree,
	Delete,
	"Delete occurrence": "Termin löschen",
	"Delete permanently": "Endgültig löschen",
	"Delete permanently?": "Endgültig löschen?",
	"Delete schedule: {words}": "Zeitplan löschen: {words}",
	"Delete series": "Serie löschen",
	"Delete this occurrence or the whole series?": "Diesen Termin oder die ganze Serie löschen?",
	"Delete {name}?": "{name} löschen?",
	"Delete {title}?": "{title} löschen?",
	"Delete {title}…": "{title} löschen …",
	Denied,
	"Denied because nobody answered in time: {what}.": "Abgelehnt, weil niemand rechtzeitig geantwortet hat: {what}.",
	"Denied by voice.": "Mit der Stimme abgelehnt.",
	"Denied in another window: {what}. Nothing was done.": "In einem anderen Fenster abgelehnt: {what}. Nichts wurde getan.",
	"Denied in less than {mark}.": "Wird in weniger als {mark} abgelehnt.",
	"Denied in {time} without an answer.": "Ohne Antwort in {time} abgelehnt.",
	"Denied: {what}. Nothing was done.": "Abgelehnt: {what}. Nichts wurde getan.",
	Density,
	"Deny {count}": {
		"one": "{count} ablehnen",
		"other": "{count} ablehnen"
	},
	"Deny {key}": "Ablehnen {key}",
	"Describe the task in your own words.": "Beschreiben Sie die Aufgabe in Ihren eigenen Worten.",
	"Describe what it should do, or type a name": "Beschreiben Sie, was es tun soll, oder tippen Sie einen Namen",
	Description,
	Details,
	"Did you mean": "Meinten Sie",
	"Did you mean one of these?": "Meinten Sie eine von diesen?",
	Difference,
	Digest,
	Direction,
	"Discard changes": "Änderungen verwerfen",
	Dismiss,
	"Dismiss all notifications": "Alle Meldungen schließen",
	"Dismiss {title}": "{title} schließen",
	"Do not read aloud": "Nicht vorlesen",
	"Do not send empty text": "Keinen leeren Text senden",
	"Does not repeat": "Wiederholt sich nicht",
	Done,
	Download,
	"Drop files here, or {button}.": "Dateien hierher ziehen oder {button}.",
	"Dry run": "Probelauf",
	"Duplicate step {number}": "Schritt {number} duplizieren",
	Duration,
	"Each call shows the gates it passed and, if it was refused, the one that stopped it.": "Jeder Aufruf zeigt die Prüfschritte, die er bestanden hat, und, falls verweigert, den, der ihn aufhielt.",
	"Each card shows what a tool does, whether it changes anything, and whether it asks you first.": "Jede Karte zeigt, was ein Werkzeug tut, ob es etwas ändert und ob es vorher fragt.",
	"Each conversation appears here turn by turn: what was said, every call, and how long it took.": "Jede Unterhaltung erscheint hier Runde für Runde: was gesagt wurde, jeder Aufruf und wie lange er dauerte.",
	"Each invalid field says why. Nothing ran.": "Jedes ungültige Feld sagt, warum. Nichts wurde ausgeführt.",
	"Each line carries a hash over itself and the line before it, so no line can be changed without changing all that follow.": "Jede Zeile trägt einen Hash über sich und die Zeile davor. Keine lässt sich ändern, ohne alle folgenden zu ändern.",
	"Each line is one decision: what was asked, which rule decided, and how it ended.": "Jede Zeile ist eine Entscheidung: was verlangt wurde, welche Regel entschied und wie es ausging.",
	"Each line is one turn, with the time from your last word to my first one.": "Jede Zeile ist eine Runde, mit der Zeit von Ihrem letzten Wort bis zu meinem ersten.",
	"Each of these agents is good at one kind of task. Its card says which tools it uses.": "Jeder dieser Agenten kann eine Art von Aufgabe gut. Auf seiner Karte steht, welche Werkzeuge er verwendet.",
	"Each step is read aloud where the browser has a voice. The text is always shown.": "Jeder Schritt wird vorgelesen, wo der Browser eine Stimme hat. Der Text steht immer da.",
	"Earliest time": "Frühestens",
	Edges,
	"Edges ({count})": "Kanten ({count})",
	"Edges by relation.": "Kanten nach Beziehung.",
	"Edges of the node": "Kanten des Knotens",
	Edit,
	"Edit as JSON": "Als JSON bearbeiten",
	"Edit event": "Termin bearbeiten",
	"Edit occurrence": "Termin bearbeiten",
	"Edit project": "Projekt bearbeiten",
	"Edit schedule": "Zeitplan bearbeiten",
	"Edit schedule: {words}": "Zeitplan bearbeiten: {words}",
	"Edit series": "Serie bearbeiten",
	"Edit this occurrence": "Diesen Termin bearbeiten",
	"Edit {title}": "{title} bearbeiten",
	"Email addresses, separated by commas.": "E-Mail-Adressen, durch Kommas getrennt.",
	"End of question": "Ende der Frage",
	"End time": "Endet um",
	Ended,
	Ends,
	"Enter a JSON object, such as {\"status\": \"active\"}.": "Geben Sie ein JSON-Objekt ein, etwa {\"status\": \"active\"}.",
	"Enter a date such as 2026-03-01 or a time such as 2026-03-01T09:30:00Z.": "Geben Sie ein Datum wie 2026-03-01 oder eine Zeit wie 2026-03-01T09:30:00Z ein.",
	"Enter a key first.": "Geben Sie zuerst einen Schlüssel ein.",
	"Enter a name, or it is not sent.": "Geben Sie einen Namen ein, sonst wird er nicht gesendet.",
	"Enter a name. You and the agents use it to refer to the project.": "Geben Sie einen Namen ein. So sprechen Sie und die Agenten von dem Projekt.",
	"Enter a number from 0, or none.": "Geben Sie eine Zahl ab 0 ein, oder „none“.",
	"Enter a number from 0.": "Geben Sie eine Zahl ab 0 ein.",
	"Enter a single line.": "Geben Sie eine einzelne Zeile ein.",
	"Enter a title.": "Geben Sie einen Titel ein.",
	"Enter the admin token to change keys.": "Geben Sie das Admin-Token ein, um Schlüssel zu ändern.",
	"Enter the admin token to unblock a user.": "Geben Sie das Admin-Token ein, um die Sperre aufzuheben.",
	"Enter the input: {input}.": "Geben Sie etwas ein: {input}.",
	"Enter your API keys here. They can be set but never read again, not even by me.": "Geben Sie hier Ihre API-Schlüssel ein. Sie lassen sich setzen, aber nie wieder auslesen, nicht einmal von mir.",
	"Enter {input}. Press {keys} to run.": "Geben Sie {input} ein. {keys} startet.",
	Entities,
	Envelope,
	Error,
	Event,
	"Event log ({count})": "Ereignisprotokoll ({count})",
	Events,
	"Events called": "Termine mit dem Titel",
	"Events that are not valid": "Ungültige Termine",
	"Events whose title contains this.": "Termine, deren Titel das enthält.",
	"Every call here is its own turn, so just try again.": "Jeder Aufruf hier ist eine eigene Runde; versuchen Sie es einfach noch einmal.",
	"Every call leaves a line here: what was asked, which rule decided, and how it ended.": "Jeder Aufruf hinterlässt hier eine Zeile: was verlangt wurde, welche Regel entschied und wie es ausging.",
	"Every call passes these checks in order.": "Jeder Aufruf durchläuft diese Prüfungen der Reihe nach.",
	"Every day": "Jeden Tag",
	"Every hour": "Jede Stunde",
	"Every member required, every object closed; arguments are converted back before validation.": "Alle Felder erforderlich, alle Objekte geschlossen; Argumente werden vor der Prüfung zurückgewandelt.",
	"Every model and you call these tools the same way: same schema, same gates, same audit. Select one to read its guide, the text that agents read.": "Alle Modelle und Sie rufen diese Werkzeuge gleich auf: gleiches Schema, gleiche Prüfschritte, gleiches Audit. Wählen Sie eines, um seine Anleitung zu lesen, denselben Text, den Agenten lesen.",
	"Every month": "Jeden Monat",
	"Every month on day {date}": "Jeden Monat am {date}.",
	"Every result comes with its evidence and a score, so that you can see why it was found.": "Jedes Ergebnis kommt mit Beleg und Bewertung, damit Sie sehen, warum es gefunden wurde.",
	"Every two weeks on {name}": "Alle zwei Wochen am {name}",
	"Every week": "Jede Woche",
	"Every week on {name}": "Jede Woche am {name}",
	"Every weekday, Monday to Friday": "Jeden Werktag, Montag bis Freitag",
	"Every year": "Jedes Jahr",
	"Everyone can see this calendar.": "Diesen Kalender sehen alle.",
	"Everything we say appears here as it is said. When I use a tool, you see a card with what I asked for and what came back.": "Alles Gesagte erscheint hier sofort. Wenn ich ein Werkzeug verwende, sehen Sie eine Karte mit dem, was ich verlangte und was zurückkam.",
	"Everything works without a key, with the built-in model. A key adds a model that can talk about anything.": "Alles funktioniert ohne Schlüssel, mit dem eingebauten Modell. Ein Schlüssel bringt ein Modell dazu, das über alles reden kann.",
	Everywhere,
	"Example {count}": "Beispiel {count}",
	Examples,
	"Examples from the guide": "Beispiele aus der Anleitung",
	"Examples:": "Beispiele:",
	Execution,
	Expand,
	"Expand {node}": "{node} aufklappen",
	Experts,
	"Experts Tour": "Rundgang: Experten",
	Expired,
	Expires,
	"Expires {when}": "Läuft {when} ab",
	Export,
	"Export all": "Alle exportieren",
	"Export as JSON Lines": "Als JSON Lines exportieren",
	"Export filtered": "Gefilterte exportieren",
	"Export the record whenever somebody wants to see it.": "Exportieren Sie das Protokoll, wann immer es jemand sehen will.",
	"Export {calendar}": "{calendar} exportieren",
	Failed,
	"Failed or refused": "Nicht erfolgreich",
	Failures,
	Files,
	Filter,
	"Filter by": "Filtern nach",
	"Filter by text": "Nach Text filtern",
	"Filter the list here: by state, tool, session or risk.": "Filtern Sie hier nach Zustand, Werkzeug, Sitzung oder Risiko.",
	Filters,
	"Filters ({count})": "Filter ({count})",
	"Find a free time": "Freie Zeit finden",
	"Find a page, a record, a tool … or ask": "Seite, Datensatz oder Werkzeug finden … oder fragen",
	"Find a page, tool or action": "Seite, Werkzeug oder Aktion suchen",
	"Find a project": "Projekt suchen",
	"Find and tell": "Finden und berichten",
	"Find times": "Zeiten suchen",
	"First day": "Erster Tag",
	"First sound": "Erster Ton",
	"First token": "Erstes Token",
	"First words": "Erste Wörter",
	"Fit to view": "Alles zeigen",
	"Fix the cause, then resume after the finished steps.": "Beheben Sie die Ursache und setzen Sie dann nach den fertigen Schritten fort.",
	"Fix the problems shown at the fields, then try again.": "Beheben Sie die Probleme an den Feldern, dann versuchen Sie es noch einmal.",
	Focus,
	Follow,
	"For CSV, Markdown, GraphML and large files: {code}.": "Für CSV, Markdown, GraphML und große Dateien: {code}.",
	"For Claude.": "Für Claude.",
	"For every agent: the same call at most {same_call_limit} times per turn, at most {empty_result_limit} empty results per tool, at most {nested_calls} nested calls, {nested_depth} deep; an approval that is not answered within {confirmation_seconds} is denied.": "Für jeden Agenten: derselbe Aufruf höchstens {same_call_limit}-mal je Runde, höchstens {empty_result_limit} leere Ergebnisse je Werkzeug, höchstens {nested_calls} verschachtelte Aufrufe, {nested_depth} tief; eine Freigabe, die nicht innerhalb von {confirmation_seconds} beantwortet wird, gilt als abgelehnt.",
	"For low-risk tools you can approve once for a session or for always. Such approvals are listed here.": "Bei Werkzeugen mit geringem Risiko können Sie für eine Sitzung oder für immer freigeben. Solche Freigaben stehen hier.",
	"For the next day, agents take “my project” to mean this one.": "Am nächsten Tag verstehen Agenten unter „my project“ dieses.",
	"For the rest of this session": "Für den Rest dieser Sitzung",
	Free,
	From: "Von",
	"Full names work better than he and she. Every sentence is kept with what was learned from it.": "Volle Namen ergeben bessere Knoten als „er“ und „sie“. Jeder Satz wird mit dem aufbewahrt, was daraus gelernt wurde.",
	"Full user name": "Vollständiger Benutzername",
	"Fully expanded": "Ganz aufgeklappt",
	Function,
	Gallery,
	Gates,
	"Gates in order": "Prüfschritte der Reihe nach",
	"Go back": "Zurück",
	"Go to a page or action": "Zu einer Seite oder Aktion",
	"Go to notifications; Esc closes one": "Zu den Meldungen; Esc schließt eine",
	"Go to…": "Suchen …",
	"Good morning": "Guten Morgen",
	"Good starting points": "Gut für den Anfang",
	Graph,
	"Graph view": "Als Graph",
	"Graph: {nodes} nodes, {edges} edges": "Graph: {nodes} Knoten, {edges} Kanten",
	"Greta Lindqvall leads Project Aurora at Aurora Labs. Aurora started on 2 March 2026.": "Greta Lindqvall leitet das Projekt Aurora bei Aurora Labs. Aurora begann am 2. März 2026.",
	"Groups with more edges inside than outside, named after their most central record.": "Gruppen mit mehr Kanten nach innen als nach außen, benannt nach ihrem zentralsten Datensatz.",
	Guests,
	"Guests and notes": "Gäste und Notizen",
	Guide,
	"HTTP, terminal": "HTTP, Terminal",
	Handlers,
	"Hands-free": "Freihändig",
	"Hang up": "Auflegen",
	"Happy with it? Then run it for real.": "Zufrieden? Dann starten Sie es richtig.",
	"Here are our conversations. The ones with a green dot are going on right now.": "Hier sind unsere Unterhaltungen. Die mit grünem Punkt laufen gerade.",
	"Here is everything I can do. Start typing to find a tool by its name or by what it is good for.": "Hier ist alles, was ich kann. Tippen Sie, um ein Werkzeug nach Name oder Zweck zu finden.",
	"Here is the whole playbook, step by step. You can ask me to walk you through it.": "Hier steht das ganze Playbook, Schritt für Schritt. Sie können mich bitten, Sie hindurchzuführen.",
	Hidden,
	Hide,
	"Hide details": "Einzelheiten ausblenden",
	"Hide menu": "Menü ausblenden",
	High,
	"High contrast": "Hoher Kontrast",
	"High, cannot be undone": "Hoch, lässt sich nicht rückgängig machen",
	Hour,
	"How likely a random walk along the edges ends here.": "Wie wahrscheinlich ein zufälliger Weg entlang der Kanten hier endet.",
	"How many edges a record has.": "Wie viele Kanten ein Datensatz hat.",
	"How many tokens the conversations take, so that no bill comes as a surprise.": "Wie viele Tokens die Unterhaltungen verbrauchen, damit keine Rechnung überrascht.",
	"How much is being used, and what was refused by which rule.": "Wie viel genutzt wird und was von welcher Regel verweigert wurde.",
	"How often it lies on the shortest path between two others, estimated from {sampled} starting points.": "Wie oft er auf dem kürzesten Weg zwischen zwei anderen liegt, geschätzt aus {sampled} Startpunkten.",
	"How often it lies on the shortest path between two others.": "Wie oft er auf dem kürzesten Weg zwischen zwei anderen liegt.",
	"How quickly tools answer. The upper lines are the slow ones, and those are the ones to look at.": "Wie schnell Werkzeuge antworten. Die oberen Linien sind die langsamen; auf sie kommt es an.",
	"How to add {name}": "Wie {name} hinzugefügt wird",
	"How {title} got its score": "Wie sich die Bewertung von {title} zusammensetzt",
	"I hear you.": "Ich höre Sie.",
	ID: "ID",
	Idempotent,
	Idle,
	"Idle or ended": "Ruhend oder beendet",
	"If I talk too long, press Escape or just speak over me. I will not mind.": "Wenn ich zu lange rede, drücken Sie Escape oder sprechen Sie einfach dazwischen. Das stört mich nicht.",
	"If a step fails": "Wenn ein Schritt fehlschlägt",
	"If the server was down at the time": "Wenn der Server zu der Zeit nicht lief",
	Import,
	"Import GraphML on the command line: antiphon kb import <database> <file>.": "GraphML importieren Sie auf der Kommandozeile: antiphon kb import <Datenbank> <Datei>.",
	"Import a calendar file, or export your own.": "Importieren Sie eine Kalenderdatei oder exportieren Sie Ihre.",
	"Import a file": "Datei importieren",
	"Import and export": "Import und Export",
	"Import into {calendar}": "In {calendar} importieren",
	"Import macros": "Makros importieren",
	"Import rows (CSV)": "Zeilen importieren (CSV)",
	"Import rows (JSON Lines)": "Zeilen importieren (JSON Lines)",
	"Import the valid ones": "Die gültigen importieren",
	"Import the valid rows": "Die gültigen Zeilen importieren",
	Imported,
	"In the background:": "Im Hintergrund:",
	Input,
	"Input (optional)": "Eingabe (optional)",
	"Input ({length} characters)": "Eingabe ({length} Zeichen)",
	"Install Antiphon as an app": "Antiphon als App installieren",
	"Intent refused": "Absicht verweigert",
	"Into field": "In das Feld",
	Isolated,
	Isolation,
	"It cannot be changed: edges and links use it.": "Sie lässt sich nicht ändern: Kanten und Links verwenden sie.",
	"It cannot work like this": "So kann es nicht gehen",
	"It conflicts with existing data": "Es widerspricht vorhandenen Daten",
	"It contains no macro.": "Es enthält kein Makro.",
	"It did not finish.": "Nicht abgeschlossen.",
	"It failed this time": "Dieses Mal fehlgeschlagen",
	"It failed.": "Fehlgeschlagen.",
	"It may be in another server's data.": "Vielleicht liegt sie in den Daten eines anderen Servers.",
	"It may have been deleted. {all} or {create}.": "Vielleicht wurde es gelöscht. {all} oder {create}.",
	"It may have been renamed. These pages exist:": "Vielleicht heißt sie anders. Diese Seiten gibt es:",
	"It needs approval: you will see the values and decide.": "Es braucht eine Freigabe: Sie sehen die Werte und entscheiden.",
	"It runs with your rights. A step that needs your approval waits in the inbox.": "Es läuft mit Ihren Rechten. Ein Schritt, der Ihre Freigabe braucht, wartet im Eingang.",
	"It was approved and ran.": "Freigegeben und ausgeführt.",
	"It was denied and did not run.": "Abgelehnt und nicht ausgeführt.",
	"It was ended. A new session can continue the conversation.": "Sie wurde beendet. Eine neue Sitzung kann die Unterhaltung fortsetzen.",
	"It was stopped": "Gestoppt",
	"It was stopped.": "Gestoppt.",
	"It was stopped. Results of finished steps are kept for a week; Resume continues after them.": "Gestoppt. Ergebnisse fertiger Schritte bleiben eine Woche; „Fortsetzen“ macht nach ihnen weiter.",
	"It would never run.": "Er würde nie laufen.",
	"Its outcome is unknown": "Das Ergebnis ist unbekannt",
	"Just speak; the agent hears when you are done. Off: hold Space or the microphone button while you speak.": "Sprechen Sie einfach; der Agent merkt, wann Sie fertig sind. Aus: Halten Sie beim Sprechen die Leertaste oder die Mikrofontaste.",
	"Just this once": "Nur dieses Mal",
	"Keep mine as a copy": "Meine als Kopie behalten",
	"Kept from the earlier run": "Aus dem früheren Lauf übernommen",
	"Key set": "Schlüssel gesetzt",
	"Key {key}": "Schlüssel {key}",
	"Keyboard shortcuts": "Tastenkürzel",
	"Kind of source: wiki, web, mail…": "Art der Quelle: Wiki, Web, E-Mail …",
	Knowledge,
	"Knowledge Tour": "Rundgang: Wissen",
	Language,
	"Last active": "Zuletzt aktiv",
	"Last day": "Letzter Tag",
	"Last hour": "Letzte Stunde",
	"Last {count} lines": "Letzte {count} Zeilen",
	"Last: {when}": "Letzter: {when}",
	"Latency budget": "Latenzbudget",
	"Latest time": "Spätestens",
	"Leave a field empty to keep today's limit. Enter none for no limit.": "Leer lassen, um die heutige Grenze zu behalten. „none“ heißt: keine Grenze.",
	"Leave empty for now. It was {last_updated}.": "Leer lassen für jetzt. Bisher {last_updated}.",
	"Leave empty for the current time.": "Leer lassen für die aktuelle Zeit.",
	"Leave empty for {model}. You can also type a name that is not listed.": "Leer lassen für {model}. Sie können auch einen Namen eingeben, der nicht in der Liste steht.",
	Light,
	"Light theme": "Helles Design",
	"Light, dark or high contrast. You can also just ask me to switch.": "Hell, dunkel oder hoher Kontrast. Sie können mich auch einfach bitten umzuschalten.",
	Line,
	"Line {number}": "Zeile {number}",
	"Line {number} alone is larger than {bytes} KiB, the most the server accepts at once. Import the file with `antiphon kb import`.": "Zeile {number} allein ist größer als {bytes} KiB, mehr nimmt der Server nicht auf einmal. Importieren Sie die Datei mit `antiphon kb import`.",
	"Line {number} as JSON": "Zeile {number} als JSON",
	Lines,
	"Link copied.": "Link kopiert.",
	"Listens, understands and speaks on this machine: no key, no network, nothing leaves it. Answers from your knowledge and operates the workspace.": "Hört, versteht und spricht auf diesem Rechner: kein Schlüssel, kein Netz, nichts verlässt ihn. Antwortet aus Ihrem Wissen und bedient den Arbeitsbereich.",
	Loading,
	"Loading calendar": "Kalender wird geladen",
	"Loading graph": "Graph wird geladen",
	"Loading project": "Projekt wird geladen",
	"Loading the page": "Seite wird geladen",
	Location: "Ort",
	"Look at one conversation only, or at the turns that took longest.": "Sehen Sie nur eine Unterhaltung an oder die Runden, die am längsten dauerten.",
	Lookups,
	Low,
	"Lowercase letters, digits, - and _, at most 64 characters.": "Kleinbuchstaben, Ziffern, - und _, höchstens 64 Zeichen.",
	"Macro {name} deleted.": "Makro {name} gelöscht.",
	"Macro {number}": "Makro {number}",
	Macros,
	"Macros Tour": "Rundgang: Makros",
	"Make a copy": "Kopie erstellen",
	"Make it my project": "Zu meinem Projekt machen",
	"Make one yours, and I will know what you mean when you say: my project.": "Machen Sie eines zu Ihrem, und ich weiß, was Sie meinen, wenn Sie sagen: my project.",
	"Mark it as yours, and agents know what “my project” means.": "Markieren Sie es als Ihres, dann wissen Agenten, was „my project“ heißt.",
	"Markdown is supported. Agents can read it.": "Markdown ist möglich. Agenten können sie lesen.",
	"Matching records": "Passende Datensätze",
	"Max nodes": "Max. Knoten",
	Meaning,
	Metadata,
	Metric,
	Metrics,
	"Metrics Tour": "Rundgang: Metriken",
	Microphone,
	"Microphone level": "Pegel des Mikrofons",
	"Minute, hour, day of month, month, day of week.": "Minute, Stunde, Tag des Monats, Monat, Wochentag.",
	Mode,
	Model,
	"Model done": "Modell fertig",
	"Model, or rules without one": "Modell, sonst Regeln",
	Models,
	Modes,
	"Monday to Friday": "Montag bis Freitag",
	"Monday to Friday only": "Nur Montag bis Freitag",
	Month,
	More,
	"More filters and sorting": "Weitere Filter und Sortierung",
	"More pages": "Weitere Seiten",
	"Most used": "Meistverwendet",
	"Most used since the server started": "Am meisten verwendet, seit der Server läuft",
	"Move step {number} down": "Schritt {number} nach unten",
	"Move step {number} up": "Schritt {number} nach oben",
	"Move {name} {index} down": "{name} {index} nach unten",
	"Move {name} {index} up": "{name} {index} nach oben",
	Name,
	"Name or best match": "Name oder beste Übereinstimmung",
	"Names appear once you allow the microphone, for example with the test.": "Die Namen erscheinen, sobald Sie das Mikrofon erlauben, zum Beispiel mit dem Test.",
	"Natural spoken conversation with 10 voices. Also creates images. Any compatible server works too.": "Natürliches Gespräch mit 10 Stimmen. Erzeugt auch Bilder. Jeder kompatible Server geht auch.",
	"Natural spoken conversation with 16 voices. Also creates images.": "Natürliches Gespräch mit 16 Stimmen. Erzeugt auch Bilder.",
	"Need approval": "Brauchen Freigabe",
	"Needs approval": "Braucht Freigabe",
	Neighbours,
	New: "Neu",
	"New conversation": "Neue Unterhaltung",
	"New database": "Neue Datenbank",
	"New edge": "Neue Kante",
	"New event": "Neuer Termin",
	"New event on {day}": "Neuer Termin am {day}",
	"New key: runs again": "Neuer Schlüssel: läuft noch einmal",
	"New macro": "Neues Makro",
	"New project": "Neues Projekt",
	"New record": "Neuer Datensatz",
	"New schedule": "Neuer Zeitplan",
	"New version": "Neue Version",
	Newer,
	Newest,
	"Newest first": "Neueste zuerst",
	Next,
	"Next attempt in {seconds} s": "Nächster Versuch in {seconds} s",
	"Next month": "Nächster Monat",
	"Next three days": "Nächste drei Tage",
	"Next two weeks": "Nächste zwei Wochen",
	"Next week": "Nächste Woche",
	"Next: {times}": "Nächste: {times}",
	"Next: {time}": "Nächster: {time}",
	"No arguments": "Keine Argumente",
	"No calls yet.": "Noch keine Aufrufe.",
	"No connections yet. An edge says how this record relates to another.": "Noch keine Verbindungen. Eine Kante sagt, wie dieser Datensatz mit einem anderen zusammenhängt.",
	"No conversations yet": "Noch keine Unterhaltungen",
	"No databases yet": "Noch keine Datenbanken",
	"No decisions yet": "Noch keine Entscheidungen",
	"No description.": "Keine Beschreibung.",
	"No events in this period": "Keine Termine in diesem Zeitraum",
	"No events.": "Keine Termine.",
	"No experts yet": "Noch keine Experten",
	"No free time of that length. Try a shorter duration or more days.": "Keine freie Zeit dieser Länge. Versuchen Sie es kürzer oder mit mehr Tagen.",
	"No function matches “{typed}”.": "Keine Funktion passt zu „{typed}“.",
	"No gate would stop any of these steps.": "Kein Prüfschritt würde einen dieser Schritte aufhalten.",
	"No graph yet": "Noch kein Graph",
	"No key": "Kein Schlüssel",
	"No line matches these filters": "Keine Zeile passt zu diesen Filtern",
	"No lines": "Keine Zeilen",
	"No longer my project": "Nicht mehr mein Projekt",
	"No macros yet": "Noch keine Makros",
	"No matching playbooks": "Keine passenden Playbooks",
	"No matching tools": "Kein passendes Werkzeug",
	"No microphone, or a quiet room? Type here instead. It is the same conversation.": "Kein Mikrofon, oder ein ruhiger Raum? Tippen Sie hier. Es ist dieselbe Unterhaltung.",
	"No one answered in time, so it did not run.": "Niemand hat rechtzeitig geantwortet, daher wurde es nicht ausgeführt.",
	"No one is blocked": "Niemand ist gesperrt",
	"No project matches “{said}”.": "Kein Projekt passt zu „{said}“.",
	"No projects yet.": "Noch keine Projekte.",
	"No question matches these filters": "Keine Frage passt zu diesen Filtern",
	"No record passes the filters.": "Kein Datensatz passt zu den Filtern.",
	"No results": "Keine Ergebnisse",
	"No runs since the server started.": "Nicht gelaufen, seit der Server gestartet ist.",
	"No runs yet": "Noch keine Läufe",
	"No session matches these filters": "Keine Sitzung passt zu diesen Filtern",
	"No such event in the next five weeks. New events are included automatically.": "In den nächsten fünf Wochen kein solcher Termin. Neue Termine zählen automatisch.",
	"No such page": "Keine solche Seite",
	"No such tool": "Kein solches Werkzeug",
	"No text.": "Kein Text.",
	"No time in the next five weeks": "Kein Zeitpunkt in den nächsten fünf Wochen",
	"No turn matches these filters": "Keine Runde passt zu diesen Filtern",
	"No turns yet": "Noch keine Runden",
	"Nobody is in it right now. It continues with the next message.": "Gerade ist niemand dabei. Mit der nächsten Nachricht geht es weiter.",
	"Node types": "Knotentypen",
	"Nodes ({count})": "Knoten ({count})",
	"None of {count} decisions would change.": "Keine von {count} Entscheidungen würde sich ändern.",
	"None.": "Keine.",
	"Not available here": "Hier nicht verfügbar",
	"Not available here: {unavailableBecause}. Calls will be refused.": "Hier nicht verfügbar: {unavailableBecause}. Aufrufe werden verweigert.",
	"Not by voice": "Nicht per Sprache",
	"Not for this session, user or environment; the message says what is missing.": "Nicht für diese Sitzung, diesen Benutzer oder diese Umgebung; die Meldung sagt, was fehlt.",
	"Not in the record, so assumed unchanged: {rules}.": "Nicht aufgezeichnet, daher als unverändert angenommen: {rules}.",
	"Not in this mode": "Nicht in diesem Modus",
	"Not reachable": "Nicht erreichbar",
	"Not run": "Nicht gelaufen",
	"Not run yet": "Noch nicht gelaufen",
	"Not run: {what}. The tools have changed, or the conversation has ended.": "Nicht ausgeführt: {what}. Die Werkzeuge haben sich geändert, oder die Unterhaltung ist beendet.",
	"Not scheduled": "Ohne Zeitplan",
	"Not set": "Nicht gesetzt",
	"Not set (default {usual})": "Nicht gesetzt (Standard {usual})",
	"Note to the agent": "Hinweis an den Agenten",
	Notes,
	Nothing,
	"Nothing I do goes unrecorded. Filter by tool, by session, by outcome or by rule.": "Alles, was ich tue, wird aufgezeichnet. Filtern Sie nach Werkzeug, Sitzung, Ergebnis oder Regel.",
	"Nothing has happened in this session yet": "In dieser Sitzung ist noch nichts passiert",
	"Nothing has run. Review the values, then approve or deny.": "Nichts wurde ausgeführt. Sehen Sie die Werte an, dann geben Sie frei oder lehnen ab.",
	"Nothing is lost in this form.": "In dieser Form geht nichts verloren.",
	"Nothing mentions {name} yet": "Noch erwähnt nichts {name}",
	"Nothing since you opened this page. What is found in a text appears here: people, organisations, places and relations, what is new and what was merged.": "Nichts, seit Sie diese Seite geöffnet haben. Hier erscheint, was in einem Text gefunden wird: Personen, Organisationen, Orte und Beziehungen, was neu ist und was zusammengeführt wurde.",
	"Nothing to analyse yet": "Noch nichts zu analysieren",
	"Nothing to approve": "Nichts freizugeben",
	"Nothing was called.": "Nichts wurde aufgerufen.",
	"Nothing was done because it was not approved.": "Nicht freigegeben, daher wurde nichts ausgeführt.",
	"Nothing was imported: {count} events are not valid.": {
		"one": "Nichts importiert: {count} Termin ist ungültig.",
		"other": "Nichts importiert: {count} Termine sind ungültig."
	},
	"Nothing was said in this session; it only made calls.": "In dieser Sitzung wurde nichts gesagt; es gab nur Aufrufe.",
	Notifications,
	"Notify me about new approvals while this page is hidden": "Bei neuen Freigaben benachrichtigen, während diese Seite verdeckt ist",
	Now,
	"Number of times": "Anzahl",
	Off: "Aus",
	"Off: typed messages are answered in writing only. Spoken ones are always answered aloud.": "Aus: Getipptes wird nur schriftlich beantwortet. Gesprochenes wird immer laut beantwortet.",
	Older,
	On: "An",
	"One macro opens as a draft, so you can check it first. Several are saved at once.": "Ein einzelnes Makro öffnet sich als Entwurf, damit Sie es prüfen können. Mehrere werden gleich gespeichert.",
	"One registry for every agent": "Ein Verzeichnis für alle Agenten",
	"Only if “{step}” returned no {what}.": "Nur wenn „{step}“ kein {what} lieferte.",
	"Only if “{step}” returned {what}.": "Nur wenn „{step}“ {what} lieferte.",
	"Only needed to change keys. The server wrote it to the file {file} in its data folder. Keys are stored on the server and never shown again; the environment variable {name} does the same.": "Nur zum Ändern von Schlüsseln nötig. Der Server hat es in die Datei {file} in seinem Datenordner geschrieben. Schlüssel bleiben auf dem Server und werden nie wieder angezeigt; die Umgebungsvariable {name} leistet dasselbe.",
	"Only pages, tools and actions were searched. {problem}": "Nur Seiten, Werkzeuge und Aktionen wurden durchsucht. {problem}",
	"Only the filtered session": "Nur die gefilterte Sitzung",
	"Only with {what} in the input.": "Nur mit {what} in der Eingabe.",
	"Only without {what} in the input.": "Nur ohne {what} in der Eingabe.",
	Open,
	"Open a project to see its description and everything that belongs to it.": "Öffnen Sie ein Projekt, um seine Beschreibung und alles Zugehörige zu sehen.",
	"Open approvals": "Offene Freigaben",
	"Open conversation": "Unterhaltung öffnen",
	"Open on this server right now.": "Gerade auf diesem Server geöffnet.",
	"Open one to read its guide, the very same text that I read before I use it.": "Öffnen Sie eines, um seine Anleitung zu lesen, genau den Text, den ich vor der Verwendung lese.",
	"Open one to see each turn on a timeline: what you said, what I said, and every call in between.": "Öffnen Sie eine, um jede Runde im Verlauf zu sehen: was Sie sagten, was ich sagte und jeden Aufruf dazwischen.",
	"Open one to see its waterfall: when you stopped, when the model began, which tools ran, and when you heard me.": "Öffnen Sie eine für den Wasserfall: wann Sie aufhörten, wann das Modell begann, welche Werkzeuge liefen und wann Sie mich hörten.",
	"Open the document": "Dokument öffnen",
	"Open the existing project": "Das vorhandene Projekt öffnen",
	Optional,
	"Or search for what you want to do, or for what went wrong.": "Oder suchen Sie nach dem, was Sie tun wollen oder was schiefging.",
	"Other path…": "Anderer Pfad …",
	"Other record": "Anderer Datensatz",
	Outcome,
	Outline,
	Output,
	"Output of an earlier step can fill a field of this one. Test that step to choose from its output.": "Die Ausgabe eines früheren Schritts kann ein Feld von diesem füllen. Testen Sie jenen Schritt, um aus seiner Ausgabe zu wählen.",
	"Overlaps with {named}": "Überschneidet sich mit {named}",
	"Overlaps with {named} and {count} more": "Überschneidet sich mit {named} und {count} weiteren",
	"Override limits": "Grenzen überschreiben",
	"Overwrite with mine": "Mit meiner überschreiben",
	"PDF, Word (.docx), text, Markdown and HTML are read; CSV and JSON Lines are imported row by row. Up to 20 MB each.": "PDF, Word (.docx), Text, Markdown und HTML werden gelesen; CSV und JSON Lines zeilenweise importiert. Je bis 20 MB.",
	Pages,
	"Pages of the audit": "Seiten des Audits",
	"Pages with a similar name": "Seiten mit ähnlichem Namen",
	Part,
	"Part of it may have taken effect.": "Ein Teil kann wirksam geworden sein.",
	"Part {at}": "Teil {at}",
	"Part {at} of {of}": "Teil {at} von {of}",
	"Parts of the graph with no edge between them, by number of records.": "Teile des Graphen ohne Kante dazwischen, nach Zahl der Datensätze.",
	"Parts {first} to {last} were read by rules only: {reason}": "Die Teile {first} bis {last} wurden nur nach Regeln gelesen: {reason}",
	"Passed {count} gates and ran": {
		"one": "{count} Prüfschritt bestanden und ausgeführt",
		"other": "{count} Prüfschritte bestanden und ausgeführt"
	},
	"Paste text": "Text einfügen",
	"Paste text here, and the people, places and relations in it become part of the database.": "Fügen Sie hier Text ein, und die Personen, Orte und Beziehungen darin werden Teil der Datenbank.",
	"Paste text or drop a file under {link}, or {link2}.": "Fügen Sie unter {link} Text ein oder ziehen Sie eine Datei hinein, oder {link2}.",
	Paused,
	Pending,
	"Per turn": "Je Runde",
	Person,
	"Pick the model that should answer. You can change it in the middle of a conversation.": "Wählen Sie das Modell, das antworten soll. Sie können es mitten in einer Unterhaltung wechseln.",
	"Pick {name} from a calendar": "{name} im Kalender wählen",
	"Play test tone": "Testton abspielen",
	Playbook,
	Playbooks,
	"Playbooks Tour": "Rundgang: Playbooks",
	"Playbooks are proven ways to do something. Search them by what you want to get done.": "Playbooks sind bewährte Vorgehensweisen. Suchen Sie nach dem, was Sie erledigen wollen.",
	"Press Run. It continues in the background, so you can do something else meanwhile.": "Starten Sie ihn. Er läuft im Hintergrund weiter, und Sie können inzwischen etwas anderes tun.",
	Previous,
	"Previous month": "Voriger Monat",
	"Previous three days": "Vorige drei Tage",
	"Previous two weeks": "Vorige zwei Wochen",
	"Previous week": "Vorige Woche",
	"Previously selected (not connected)": "Bisher gewählt (nicht angeschlossen)",
	Problem,
	Progress,
	"Progress of {title}": "Fortschritt von {title}",
	"Project {name} created.": "Projekt {name} angelegt.",
	Projects,
	"Projects Tour": "Rundgang: Projekte",
	"Proves that you may unblock users. It is the same token as for keys, and it is not stored here.": "Zeigt, dass Sie Sperren aufheben dürfen. Es ist dasselbe wie für Schlüssel und wird hier nicht gespeichert.",
	Provider,
	"Provider fault": "Störung beim Anbieter",
	Question,
	Queued,
	"Quoted from records": "Aus Datensätzen zitiert",
	"RFC 5545, such as FREQ=MONTHLY;BYDAY=2TU": "Nach RFC 5545, etwa FREQ=MONTHLY;BYDAY=2TU",
	Ran,
	Range,
	"Rate limit": "Ratenbegrenzung",
	"Re-evaluate": "Neu bewerten",
	"Read aloud": "Vorlesen",
	"Read as HTML": "Als HTML lesen",
	"Read as Markdown": "Als Markdown lesen",
	"Read as PDF": "Als PDF lesen",
	"Read as a Word document": "Als Word-Dokument lesen",
	"Read as text": "Als Text lesen",
	"Read it and continue where you left off.": "Lesen Sie nach und machen Sie dort weiter, wo Sie aufgehört haben.",
	"Read tours aloud": "Rundgänge vorlesen",
	Readable,
	"Reading and writing": "Liest und schreibt",
	"Reading the file": "Datei wird gelesen",
	"Reading the text": "Text wird gelesen",
	Ready,
	Reason,
	Recent,
	"Recent calls": "Letzte Aufrufe",
	"Recently added": "Zuletzt hinzugefügt",
	"Recently changed: {count}": "Zuletzt geändert: {count}",
	"Reconnected to the model": "Neu mit dem Modell verbunden",
	Record,
	"Recorded calls are evaluated again with today's tools and limits, or with the limits below. Nothing runs and nothing is recorded.": "Aufgezeichnete Aufrufe werden mit den heutigen Werkzeugen und Grenzen oder mit den Grenzen unten neu bewertet. Nichts wird ausgeführt oder aufgezeichnet.",
	"Recorded sound": "Tonaufnahme",
	Recording,
	Records,
	"Records by type.": "Datensätze nach Typ.",
	"Records must have all of them.": "Datensätze müssen alle haben.",
	"Records, playbooks, upcoming events and runs that mention the project appear here.": "Datensätze, Playbooks, kommende Termine und Läufe, die das Projekt erwähnen, erscheinen hier.",
	"Recovered after a crash": "Nach Absturz wiederhergestellt",
	"Redacted in the audit": "Im Audit geschwärzt",
	"Reduced to what the mode allows: {values}.": "Auf das Maß des Modus verringert: {values}.",
	Refusals,
	Refuse,
	"Registry version {code}": "Verzeichnisversion {code}",
	Related,
	Relation,
	Relations,
	"Release all nodes": "Alle Knoten wieder lösen",
	Reload,
	Remove,
	"Remove edge {relation} {node}": "Kante {relation} {node} entfernen",
	"Remove filter {name}": "Filter {name} entfernen",
	"Remove step {number}": "Schritt {number} entfernen",
	"Remove tag {each}": "Schlagwort {each} entfernen",
	"Remove value {number}": "Wert {number} entfernen",
	"Remove {name}": "{name} entfernen",
	"Remove {name} {index}": "{name} {index} entfernen",
	"Removed: {source} {relation} {target}.": "Entfernt: {source} {relation} {target}.",
	Repeats,
	"Repeats by the rule {custom}": "Wiederholt sich nach der Regel {custom}",
	Replay,
	"Replay reuses the key, so the recorded answer is returned and nothing happens twice. Run again uses a new key.": "„Wiederholen“ verwendet denselben Schlüssel: Die aufgezeichnete Antwort kommt zurück, nichts geschieht doppelt. „Noch einmal ausführen“ nimmt einen neuen Schlüssel.",
	Replayed,
	"Requests to the session: {list}.": "Anforderungen an die Sitzung: {list}.",
	"Required by the rule {code}.": "Verlangt von der Regel {code}.",
	Reset,
	Response,
	Result,
	"Result format": "Form des Ergebnisses",
	Results,
	"Results for “{q}”": "Ergebnisse für „{q}“",
	"Results of earlier calls": "Ergebnisse früherer Aufrufe",
	"Results per search": "Ergebnisse je Suche",
	Resume,
	"Resume from here": "Ab hier fortsetzen",
	Resumed,
	"Resumed from an earlier run": "Aus einem früheren Lauf fortgesetzt",
	"Resumed from the beginning.": "Von Anfang an fortgesetzt.",
	"Resumed. {count} finished steps are not run again.": {
		"one": "Fortgesetzt. {count} fertiger Schritt läuft nicht noch einmal.",
		"other": "Fortgesetzt. {count} fertige Schritte laufen nicht noch einmal."
	},
	Retrieval,
	"Retrying does not help; the message says why.": "Wiederholen hilft nicht; die Meldung sagt, warum.",
	Review,
	"Review and decide": "Ansehen und entscheiden",
	"Review and resume": "Ansehen und fortsetzen",
	"Review…": "Ansehen …",
	Revoke,
	Risk,
	"Rounds of tool use": "Werkzeugdurchläufe",
	Rule,
	Run,
	"Run a macro": "Makro ausführen",
	"Run again": "Noch einmal ausführen",
	"Run agent": "Agent starten",
	"Run finished: {status}": "Lauf beendet: {status}",
	"Run in this browser": "In diesem Browser ausführen",
	"Run it": "Ausführen",
	"Run it at fixed times or around calendar events.": "Lassen Sie es zu festen Zeiten oder um Termine herum laufen.",
	"Run now": "Jetzt starten",
	"Run once when it is back": "Einmal nachholen, sobald er wieder läuft",
	"Run started": "Lauf gestartet",
	"Run workflow": "Workflow starten",
	Running,
	Runs,
	"Runs by": "Läuft nach",
	"Same key: answered from the record": "Gleicher Schlüssel: aus dem Protokoll beantwortet",
	Save,
	"Save and run": "Speichern und starten",
	"Save anyway": "Trotzdem speichern",
	"Save it as .docx or PDF first.": "Speichern Sie sie zuerst als .docx oder PDF.",
	"Save keys": "Schlüssel speichern",
	"Save schedule": "Zeitplan speichern",
	"Save the sheet as CSV first.": "Speichern Sie das Tabellenblatt zuerst als CSV.",
	"Saved.": "Gespeichert.",
	"Saved. Keys in use: {names}.": "Gespeichert. Verwendete Schlüssel: {names}.",
	"Saved. Say “{phrase}” to run it.": "Gespeichert. Sagen Sie „{phrase}“, um es zu starten.",
	"Say its phrase; typing it does not run it. In writing, the agent may not call {tools}.": "Sagen Sie den Satz; getippt startet er es nicht. Schriftlich darf der Agent {tools} nicht aufrufen.",
	"Say or type it in a conversation to run the macro. Small differences are fine.": "Sagen oder tippen Sie ihn in einer Unterhaltung, um das Makro zu starten. Kleine Abweichungen sind in Ordnung.",
	"Say something…": "Sagen Sie etwas …",
	"Say “create a project called Aurora”, or {create}. Mark one as yours, and agents know what “my project” means.": "Sagen Sie „create a project called Aurora“ oder {create}. Markieren Sie eines als Ihres, dann wissen Agenten, was „my project“ heißt.",
	"Schedule deleted.": "Zeitplan gelöscht.",
	Scheduled,
	Schedules,
	"Schema by provider": "Schema je Anbieter",
	"Schema: {title}": "Schema: {title}",
	Score,
	Search,
	"Search and commands": "Suche und Befehle",
	"Search by name or purpose": "Nach Name oder Zweck suchen",
	"Search by name, then select.": "Nach Namen suchen, dann auswählen.",
	"Search by words, a question or an ID": "Nach Wörtern, einer Frage oder einer ID suchen",
	"Search or ask": "Suchen oder fragen",
	"Search playbooks": "Playbooks durchsuchen",
	"Search tools": "Werkzeuge suchen",
	"Search without filters": "Ohne Filter suchen",
	"Search {database}": "{database} durchsuchen",
	"Searching…": "Suche läuft …",
	"Second person": "Zweite Person",
	Sections,
	"See all macros": "Alle Makros ansehen",
	"See the server's log. Part of its work may be done.": "Sehen Sie ins Protokoll des Servers. Ein Teil der Arbeit kann getan sein.",
	"Select all open questions": "Alle offenen Fragen auswählen",
	"Select: {what}": "Auswählen: {what}",
	"Selected files": "Ausgewählte Dateien",
	"Selected node": "Ausgewählter Knoten",
	"Send empty text": "Leeren Text senden",
	"Send null": "null senden",
	"Send the same key again to get the result when it is done.": "Senden Sie denselben Schlüssel noch einmal, um das Ergebnis zu bekommen.",
	"Separated by commas.": "Durch Kommas getrennt.",
	"Server default": "Wie der Server",
	"Server unavailable": "Server nicht erreichbar",
	Session,
	"Session ID": "Sitzungs-ID",
	"Session ended": "Sitzung beendet",
	"Session ended.": "Sitzung beendet.",
	"Session ended: {reason}.": "Sitzung beendet: {reason}.",
	"Session resumed": "Sitzung fortgesetzt",
	"Session resumed with {model}.": "Sitzung mit {model} fortgesetzt.",
	"Session resumed.": "Sitzung fortgesetzt.",
	"Session started": "Sitzung begonnen",
	"Session started with {model}.": "Sitzung mit {model} begonnen.",
	"Session started.": "Sitzung begonnen.",
	Sessions,
	"Sessions Tour": "Rundgang: Sitzungen",
	"Set. Type to replace": "Gesetzt. Zum Ersetzen eingeben",
	Settings,
	"Settings Tour": "Rundgang: Einstellungen",
	"Shared conversation": "Geteilte Unterhaltung",
	"Show all playbooks": "Alle Playbooks anzeigen",
	"Show all sessions": "Alle Sitzungen anzeigen",
	"Show all {count}": "Alle {count} anzeigen",
	"Show as": "Anzeigen als",
	"Show earlier turns": "Frühere Runden anzeigen",
	"Show in graph": "Im Graphen zeigen",
	"Show line {number}": "Zeile {number} anzeigen",
	"Show menu": "Menü einblenden",
	"Show more": "Mehr anzeigen",
	"Show older": "Ältere anzeigen",
	"Show shortcuts": "Tastenkürzel anzeigen",
	"Show the numbers": "Zahlen zeigen",
	"Show the sessions of this server": "Sitzungen dieses Servers anzeigen",
	"Show two more weeks": "Zwei weitere Wochen anzeigen",
	"Show {count} more": "{count} weitere anzeigen",
	"Shown, but not heard": "Angezeigt, aber nicht gehört",
	"Side effects": "Nebenwirkungen",
	"Sign in": "Anmelden",
	"Signed out": "Abgemeldet",
	"Skip it and continue; steps that need it fail too": "Überspringen und weitermachen; Schritte, die ihn brauchen, schlagen auch fehl",
	"Skip the run": "Lauf auslassen",
	"Skip to content": "Zum Inhalt springen",
	Skipped,
	"Skipped, because they are not events: {others}.": "Übersprungen, weil keine Termine: {others}.",
	"Skipped:": "Übersprungen:",
	"Skipped: {list}.": "Übersprungen: {list}.",
	"Slower than": "Langsamer als",
	"Slower than {time}": "Langsamer als {time}",
	"Slowest (p95)": "Langsamste (p95)",
	"Sort by": "Sortieren nach",
	Source,
	Sources,
	"Sources of the answer to “{message}”.": "Quellen der Antwort auf „{message}“.",
	"Speak answers to typed messages": "Antworten auf Getipptes vorlesen",
	Speaker,
	"Spoken part of a written conversation": "Gesprochener Teil einer geschriebenen Unterhaltung",
	"Stand-up": "Stand-up",
	"Standing approvals": "Dauerhafte Freigaben",
	"Start a conversation": "Unterhaltung beginnen",
	"Start a new one and try again.": "Beginnen Sie eine neue und versuchen Sie es noch einmal.",
	"Start from an example:": "Mit einem Beispiel beginnen:",
	"Start it here. I will tell you when it is done, even if we are talking about something else by then.": "Starten Sie ihn hier. Ich sage Bescheid, wenn er fertig ist, auch wenn wir dann über etwas anderes sprechen.",
	"Start over": "Von vorn beginnen",
	"Start talking": "Gespräch beginnen",
	"Start time": "Beginnt um",
	Started,
	"Started by hand or in a conversation": "Von Hand oder in einer Unterhaltung gestartet",
	Starts,
	Status,
	"Step {number} (comes later)": "Schritt {number} (kommt später)",
	"Step {number} returned nothing at “{path}”.": "Schritt {number} lieferte nichts bei „{path}“.",
	"Step {number}:": "Schritt {number}:",
	"Step {place} ({title})": "Schritt {place} ({title})",
	"Step {place} of {count}: {title}": "Schritt {place} von {count}: {title}",
	"Step {place}.{inner}": "Schritt {place}.{inner}",
	Steps,
	"Steps, {done} of {count} finished": "Schritte, {done} von {count} fertig",
	"Still running": "Läuft noch",
	Stop,
	"Stop test": "Test beenden",
	Stopped,
	"Stopped at {gate} after {count} gates": {
		"one": "Gestoppt bei {gate} nach {count} Prüfschritt",
		"other": "Gestoppt bei {gate} nach {count} Prüfschritten"
	},
	"Stopped.": "Gestoppt.",
	"Stopped. What was already added stays.": "Gestoppt. Was schon hinzugefügt wurde, bleibt.",
	"Stopping…": "Wird gestoppt …",
	"Stored in {place}. Change it there.": "Gespeichert in {place}. Ändern Sie ihn dort.",
	"Stored in {place}. Times are shown in {zone}.": "Gespeichert in {place}. Zeiten gelten für {zone}.",
	"Stored line": "Gespeicherte Zeile",
	"Stored result of an earlier call; nothing ran again.": "Gespeichertes Ergebnis eines früheren Aufrufs; nichts lief noch einmal.",
	"Stored result of turn {turn}; nothing ran again.": "Gespeichertes Ergebnis aus Runde {turn}; nichts lief noch einmal.",
	Succeeded,
	"System default": "Wie das System",
	"Table of {name}": "Tabelle: {name}",
	"Table view": "Als Tabelle",
	Tags,
	"Take the tour of this page": "Rundgang durch diese Seite",
	Talk,
	Target,
	"Task not run": "Aufgabe nicht ausgeführt",
	"Task progress": "Fortschritt der Aufgabe",
	"Tell the workflow what it should work on.": "Sagen Sie dem Workflow, woran er arbeiten soll.",
	Tentative,
	Test,
	"Test microphone": "Mikrofon testen",
	"Test of step {number}": "Test von Schritt {number}",
	"Test step {number} first: this step takes a value from it.": "Testen Sie zuerst Schritt {number}: Dieser Schritt übernimmt einen Wert daraus.",
	"Test this step": "Diesen Schritt testen",
	Text,
	"Text only": "Nur Text",
	"Text session": "Textsitzung",
	"Text written by others may have led to this.": "Text von anderen kann dazu geführt haben.",
	"That is not the admin token. It is in the file admin-token in the data folder.": "Das ist nicht das Admin-Token. Es steht in der Datei admin-token im Datenordner.",
	"That speaker is no longer connected. Choose another one.": "Dieser Lautsprecher ist nicht mehr angeschlossen. Wählen Sie einen anderen.",
	"That step comes after this one. Move it up, or choose another.": "Dieser Schritt kommt nach diesem hier. Schieben Sie ihn nach oben oder wählen Sie einen anderen.",
	"That time is taken.": "Diese Zeit ist belegt.",
	"The agent asks you before it changes anything important. Open approvals wait here, along with past decisions.": "Bevor der Agent etwas Wichtiges ändert, fragt er Sie. Offene Freigaben warten hier, neben früheren Entscheidungen.",
	"The agent spoke first": "Der Agent sprach zuerst",
	"The agent {name} cannot be used. {problems}": "Der Agent {name} ist nicht verwendbar. {problems}",
	"The arguments are not valid": "Die Argumente sind ungültig",
	"The audit chain is broken.": "Die Kette des Audits ist unterbrochen.",
	"The audit has every line": "Im Audit steht jede Zeile",
	"The audit is empty.": "Das Audit ist leer.",
	"The audit is intact: {count} lines verified.": "Das Audit ist unversehrt: {count} Zeilen geprüft.",
	"The audit keeps no results. Those of a conversation are kept with it.": "Das Audit bewahrt keine Ergebnisse auf. Die einer Unterhaltung stehen bei ihr.",
	"The background task of {tool} did not run: {reason}.": "Die Hintergrundaufgabe von {tool} lief nicht: {reason}.",
	"The browser did not allow copying. Copy the address from the address bar.": "Der Browser hat das Kopieren nicht erlaubt. Kopieren Sie die Adresse aus der Adresszeile.",
	"The browser did not allow copying. Select the text and copy it manually.": "Der Browser hat das Kopieren nicht erlaubt. Markieren Sie den Text und kopieren Sie ihn von Hand.",
	"The built-in model has one voice.": "Das eingebaute Modell hat eine Stimme.",
	"The call failed.": "Der Aufruf ist fehlgeschlagen.",
	"The chain could not be verified": "Die Kette konnte nicht geprüft werden",
	"The chain is broken": "Die Kette ist unterbrochen",
	"The chain is broken: {problem}.": "Die Kette ist unterbrochen: {problem}.",
	"The chain is intact": "Die Kette ist unversehrt",
	"The connection to the model was lost and resumed.": "Die Verbindung zum Modell brach ab und wurde wiederhergestellt.",
	"The connection to the model was lost. A new one was told what was said.": "Die Verbindung zum Modell brach ab. Einer neuen wurde mitgeteilt, was gesagt worden war.",
	"The conversation ended or the tools changed first, so it did not run.": "Die Unterhaltung endete oder die Werkzeuge änderten sich vorher, daher wurde es nicht ausgeführt.",
	"The event ends before it starts. Choose a later end.": "Der Termin endet vor seinem Beginn. Wählen Sie ein späteres Ende.",
	"The file contains no rows.": "Die Datei enthält keine Zeilen.",
	"The file contains no text.": "Die Datei enthält keinen Text.",
	"The file has {size} MB. For files larger than 20 MB, use the command line: antiphon kb ingest <database> <file>.": "Die Datei hat {size} MB. Dateien über 20 MB lesen Sie auf der Kommandozeile ein: antiphon kb ingest <Datenbank> <Datei>.",
	"The file is empty.": "Die Datei ist leer.",
	"The file is larger than 10 MiB. Split it, or use `antiphon calendar import`.": "Die Datei ist größer als 10 MiB. Teilen Sie sie auf oder verwenden Sie `antiphon calendar import`.",
	"The file is not UTF-8 text. Save it as UTF-8 and try again.": "Die Datei ist kein UTF-8-Text. Speichern Sie sie als UTF-8 und versuchen Sie es noch einmal.",
	"The first {count} are shown. {command} lists them all.": "Die ersten {count} werden gezeigt. {command} listet alle auf.",
	"The five that fit best come first. Pick one to read it.": "Die fünf am besten passenden kommen zuerst. Wählen Sie eines, um es zu lesen.",
	"The form could not be loaded. You can still approve or deny.": "Das Formular konnte nicht geladen werden. Sie können trotzdem freigeben oder ablehnen.",
	"The form is built from the tool's schema. Choose Try it to see the decision, the time and the result.": "Das Formular entsteht aus dem Schema des Werkzeugs. „Ausprobieren“ zeigt Entscheidung, Dauer und Ergebnis.",
	"The graph cannot be arranged: its worker did not start. The table shows the same.": "Der Graph lässt sich nicht anordnen: Sein Worker ist nicht gestartet. Die Tabelle zeigt dasselbe.",
	"The graph shows at most {MOST_NODES} nodes; {left} were left out. Hide some, or focus on one node.": "Der Graph zeigt höchstens {MOST_NODES} Knoten; {left} fehlen. Blenden Sie einige aus oder stellen Sie einen Knoten in die Mitte.",
	"The hash covers this line and the hash of the line before it.": "Der Hash umfasst diese Zeile und den Hash der Zeile davor.",
	"The key may belong to another call, or the item already exists.": "Der Schlüssel kann zu einem anderen Aufruf gehören, oder es gibt den Eintrag schon.",
	"The last output has nothing there.": "Die letzte Ausgabe hat dort nichts.",
	"The lines are chained to each other. Press Verify, and the whole chain is checked from the first to the last.": "Die Zeilen sind miteinander verkettet. „Prüfen“ prüft die ganze Kette von der ersten bis zur letzten.",
	"The message says what happened.": "Die Meldung sagt, was geschah.",
	"The model's provider reported a fault: {reason}.": "Der Anbieter des Modells meldete eine Störung: {reason}.",
	"The name of the person who approves now. Leave it empty if you are signed in under your own name.": "Der Name der Person, die jetzt freigibt. Lassen Sie ihn leer, wenn Sie unter Ihrem eigenen Namen angemeldet sind.",
	"The native form, for Live.": "Die native Form, für Live.",
	"The newest {shown} of {count}.": "Die neuesten {shown} von {count}.",
	"The open conversation continues unchanged.": "Die offene Unterhaltung läuft unverändert weiter.",
	"The page reloads in that language. The agent and the server’s messages stay in English.": "Die Seite wird in dieser Sprache neu geladen. Der Agent und die Meldungen des Servers bleiben englisch.",
	"The phrase does not run it: the conversation's agent may not call {tools}. Run it from here or on a schedule.": "Der Satz startet es nicht: Der Agent der Unterhaltung darf {tools} nicht aufrufen. Starten Sie es hier oder nach Zeitplan.",
	"The query is its ID, so nothing could match better.": "Die Anfrage ist seine ID; besser kann nichts passen.",
	"The record and its {count} edges are deleted. This cannot be undone.": {
		"one": "Der Datensatz und seine {count} Kante werden gelöscht. Das lässt sich nicht rückgängig machen.",
		"other": "Der Datensatz und seine {count} Kanten werden gelöscht. Das lässt sich nicht rückgängig machen."
	},
	"The record is deleted. This cannot be undone.": "Der Datensatz wird gelöscht. Das lässt sich nicht rückgängig machen.",
	"The recording cannot be played. It may have been deleted.": "Die Aufnahme lässt sich nicht abspielen. Vielleicht wurde sie gelöscht.",
	"The run has ended: {words}.": "Der Lauf ist beendet: {words}.",
	"The same as JSON Schema.": "Dasselbe als JSON Schema.",
	"The same call too often": "Derselbe Aufruf zu oft",
	"The server cannot be reached. Is it still running?": "Der Server ist nicht erreichbar. Läuft er noch?",
	"The server cannot be reached. What you typed stays here.": "Der Server ist nicht erreichbar. Was Sie getippt haben, bleibt hier.",
	"The server responded with status {status}.": "Der Server hat mit Status {status} geantwortet.",
	"The server's response could not be read.": "Die Antwort des Servers ist nicht lesbar.",
	"The session is already running": "Die Sitzung läuft bereits",
	"The session is over": "Die Sitzung ist beendet",
	"The sound of this conversation is recorded and kept for {count} days.": {
		"one": "Der Ton dieser Unterhaltung wird aufgenommen und {count} Tag aufbewahrt.",
		"other": "Der Ton dieser Unterhaltung wird aufgenommen und {count} Tage aufbewahrt."
	},
	"The sources of an answer are listed here, each with a link to its record.": "Hier stehen die Quellen einer Antwort, jede mit einem Link zu ihrem Datensatz.",
	"The steps that call tools become a macro that you can change.": "Die Schritte, die Werkzeuge aufrufen, werden ein Makro, das Sie ändern können.",
	"The store was changed. Compare it with audit.jsonl in the data folder, or with a backup.": "Der Speicher wurde verändert. Vergleichen Sie ihn mit audit.jsonl im Datenordner oder mit einer Sicherung.",
	"The tool failed unexpectedly": "Das Werkzeug ist unerwartet fehlgeschlagen",
	"The tools changed during the session.": "Die Werkzeuge haben sich während der Sitzung geändert.",
	"The turn's budget is used up": "Das Budget der Runde ist aufgebraucht",
	"The voice that you hear, and the microphone that I listen to.": "Die Stimme, die Sie hören, und das Mikrofon, auf das ich höre.",
	Theme,
	Themes,
	Then,
	"There is more than can be shown here.": "Es gibt mehr, als hier angezeigt werden kann.",
	"There is more than can be shown here. Approve only if you know the rest.": "Es gibt mehr, als hier angezeigt werden kann. Geben Sie nur frei, wenn Sie den Rest kennen.",
	"There is no agent “{name}”. Choose one from the list.": "Es gibt keinen Agenten „{name}“. Wählen Sie einen aus der Liste.",
	"There is no database {id}. It may have been deleted or renamed.": "Es gibt keine Datenbank {id}. Vielleicht wurde sie gelöscht oder umbenannt.",
	"There is no macro {id}": "Es gibt kein Makro {id}",
	"There is no page “{page}” to show.": "Es gibt keine Seite „{page}“.",
	"There is no page “{wanted}”": "Es gibt keine Seite „{wanted}“",
	"There is no result to show. The envelope has all details.": "Es gibt kein Ergebnis. Das Envelope enthält alle Einzelheiten.",
	"There is no such tool": "Dieses Werkzeug gibt es nicht",
	"There is no workflow “{name}”. Choose one from the list.": "Es gibt keinen Workflow „{name}“. Wählen Sie einen aus der Liste.",
	"There is nothing to start.": "Es gibt nichts zu starten.",
	"There is too much text on this page to keep it. Send or copy it, then reload.": "Auf dieser Seite steht zu viel Text, um ihn aufzubewahren. Senden oder kopieren Sie ihn, dann laden Sie neu.",
	"These are your databases. Each one holds people, things and how they are connected.": "Das sind Ihre Datenbanken. Jede enthält Personen, Dinge und wie sie zusammenhängen.",
	"These are your projects. The one you worked on last comes first.": "Das sind Ihre Projekte. Das zuletzt bearbeitete kommt zuerst.",
	"These filters narrow the list down: eyes that look things up, hands that act, and helpers.": "Diese Filter grenzen die Liste ein: Werkzeuge, die nachschlagen, die handeln und die helfen.",
	"These lines contain no decisions.": "Diese Zeilen enthalten keine Entscheidungen.",
	"These templates each do one larger piece of work, from recovering after an error to handing over a session.": "Jede dieser Vorlagen erledigt eine größere Arbeit, von der Wiederherstellung nach einem Fehler bis zur Übergabe einer Sitzung.",
	"Thinks and writes; your browser listens and speaks.": "Denkt und schreibt; Ihr Browser hört und spricht.",
	This: "Das",
	"This answer cites no record.": "Diese Antwort nennt keine Quelle.",
	"This browser always uses the system's speaker; choose it there.": "Dieser Browser verwendet immer den Lautsprecher des Systems; wählen Sie ihn dort.",
	"This browser blocks notifications from this page. Allow them in the browser’s site settings, then reload.": "Dieser Browser blockiert Benachrichtigungen dieser Seite. Erlauben Sie sie in den Website-Einstellungen des Browsers und laden Sie neu.",
	"This browser does not support notifications.": "Dieser Browser unterstützt keine Benachrichtigungen.",
	"This browser has no voice for this language.": "Dieser Browser hat keine Stimme für diese Sprache.",
	"This browser ran it directly, so it passed no gates and is not in the audit. An agent asks the server first.": "Dieser Browser hat es direkt ausgeführt, ohne Prüfschritte und ohne Eintrag im Audit. Ein Agent fragt zuerst den Server.",
	"This cannot be read aloud. {voiceTrouble}": "Vorlesen ist nicht möglich. {voiceTrouble}",
	"This conversation is open in this tab.": "Diese Unterhaltung ist in diesem Tab offen.",
	"This conversation is paused.": "Diese Unterhaltung ist pausiert.",
	"This database is empty": "Diese Datenbank ist leer",
	"This deletes its name, description and status. Records, events and runs that mention it stay.": "Das löscht Namen, Beschreibung und Status. Datensätze, Termine und Läufe, die es erwähnen, bleiben.",
	"This deletes {records} and {edges} and cannot be undone. If you are not sure, {export}.": "Das löscht {records} und {edges} und lässt sich nicht rückgängig machen. Wenn Sie nicht sicher sind, {export}.",
	"This event has its own time zone, {offset}. Choose another, or leave it.": "Dieser Termin hat eine eigene Zeitzone, {offset}. Wählen Sie eine andere oder lassen Sie sie.",
	"This field is required.": "Dieses Feld ist erforderlich.",
	"This file type is not supported. Use PDF, Word, text, Markdown, HTML, CSV or JSON Lines.": "Dieser Dateityp wird nicht unterstützt. Verwenden Sie PDF, Word, Text, Markdown, HTML, CSV oder JSON Lines.",
	"This form cannot express everything. The server still validates all of it.": "Diese Form kann nicht alles ausdrücken. Der Server prüft trotzdem alles.",
	"This form is made from the tool's own schema. Fill it in and press Try it. The same rules hold for you as for me.": "Dieses Formular entsteht aus dem Schema des Werkzeugs. Füllen Sie es aus und wählen Sie „Ausprobieren“. Für Sie gelten dieselben Regeln wie für mich.",
	"This function runs in the user's browser. During a conversation, an agent asks this page to run it; calls over HTTP have no browser and are refused. You can also run it in this browser now.": "Diese Funktion läuft im Browser des Benutzers. In einer Unterhaltung bittet ein Agent diese Seite darum; Aufrufe über HTTP haben keinen Browser und werden verweigert. Sie können sie auch jetzt in diesem Browser ausführen.",
	"This is not valid JSON: {message}": "Das ist kein gültiges JSON: {message}",
	"This is not valid JSON: {reason}": "Das ist kein gültiges JSON: {reason}",
	"This is not {said}, whatever its name says.": "Das ist nicht {said}, auch wenn der Name es sagt.",
	"This is our conversation in writing. Scroll up to read what was said before.": "Das ist unsere Unterhaltung in Schriftform. Blättern Sie nach oben, um Früheres zu lesen.",
	"This is the graph itself. Click a node to show its neighbours, and drag nodes where you like them.": "Das ist der Graph selbst. Klicken Sie einen Knoten an, um seine Nachbarn zu zeigen, und ziehen Sie Knoten, wohin Sie wollen.",
	"This is where it all starts. Press the big button and simply speak. I stop and listen as soon as you do.": "Hier fängt alles an. Drücken Sie die große Taste und sprechen Sie einfach. Sobald Sie sprechen, halte ich inne und höre zu.",
	"This is your calendar. Switch between month, week and agenda as you like.": "Das ist Ihr Kalender. Wechseln Sie zwischen Monat, Woche und Agenda.",
	"This is {found}, not {said}.": "Das ist {found}, nicht {said}.",
	"This macro was saved elsewhere {when}, after you started editing. Nothing is lost: choose what to keep.": "Dieses Makro wurde {when} an anderer Stelle gespeichert, nachdem Sie mit dem Bearbeiten begonnen hatten. Nichts ist verloren: Wählen Sie, was bleiben soll.",
	"This many approvals are waiting for you, across all conversations. The menu shows the same number.": "So viele Freigaben warten auf Sie, in allen Unterhaltungen. Das Menü zeigt dieselbe Zahl.",
	"This name exists already; only the first is sent.": "Diesen Namen gibt es schon; nur der erste wird gesendet.",
	"This occurrence was removed from the series.": "Dieser Termin wurde aus der Serie entfernt.",
	"This part is not on the page right now.": "Dieser Teil ist gerade nicht auf der Seite.",
	"This part of the console could not be loaded. Is the server still running?": "Dieser Teil der Konsole konnte nicht geladen werden. Läuft der Server noch?",
	"This project no longer exists. Choose another one.": "Dieses Projekt gibt es nicht mehr. Wählen Sie ein anderes.",
	"This runs in the background; you can leave the page.": "Das läuft im Hintergrund; Sie können die Seite verlassen.",
	"This step changes data. Run it now?": "Dieser Schritt ändert Daten. Jetzt ausführen?",
	"This text has been added before, so nothing changed.": "Dieser Text wurde schon hinzugefügt; nichts hat sich geändert.",
	"This tool takes no arguments.": "Dieses Werkzeug braucht keine Argumente.",
	"This tour has no steps.": "Dieser Rundgang hat keine Schritte.",
	"This turn": "Diese Runde",
	"This value does not fit the form, so it is shown as JSON.": "Dieser Wert passt nicht ins Formular und wird als JSON gezeigt.",
	Time,
	"Time before a hurry-up notice": "Zeit bis zur Mahnung zur Eile",
	"Time in tools": "Zeit in Werkzeugen",
	"Time zone": "Zeitzone",
	Timeline,
	Timeout,
	"Tired of typing? This button takes the whole conversation over to voice.": "Genug getippt? Mit dieser Taste sprechen Sie in derselben Unterhaltung weiter.",
	Title,
	To: "Bis",
	Today,
	"Tokens in": "Tokens gelesen",
	"Tokens out": "Tokens geschrieben",
	"Too long to show here: {count} characters.": "Zu lang für die Anzeige: {count} Zeichen.",
	"Too many calls": "Zu viele Aufrufe",
	Tool,
	"Tool calls": "Werkzeugaufrufe",
	Tools,
	"Tools Tour": "Rundgang: Werkzeuge",
	"Tools changed": "Werkzeuge geändert",
	"Tools version": "Werkzeugstand",
	Total,
	Tour,
	"Tour of this page": "Rundgang durch diese Seite",
	Trace,
	Traces,
	"Traces Tour": "Rundgang: Traces",
	"Trigger phrase": "Auslösesatz",
	"Try a tool": "Werkzeug ausprobieren",
	"Try again": "Noch einmal versuchen",
	"Try again in a moment.": "Versuchen Sie es gleich noch einmal.",
	"Try it": "Ausprobieren",
	"Try now": "Jetzt versuchen",
	"Try one": "Eines ausprobieren",
	"Try other words, or clear the filters. The search covers names, summaries and descriptions.": "Versuchen Sie andere Wörter oder löschen Sie die Filter. Gesucht wird in Namen, Kurzfassungen und Beschreibungen.",
	"Try other words.": "Versuchen Sie andere Wörter.",
	"Try other words. The search matches words and meaning.": "Versuchen Sie andere Wörter. Gesucht wird nach Wörtern und nach Bedeutung.",
	"Try up to three times, then stop": "Bis zu dreimal versuchen, dann stoppen",
	"Turn completed": "Runde abgeschlossen",
	"Turn on notifications": "Benachrichtigungen einschalten",
	"Turn {number}": "Runde {number}",
	Turns,
	"Two notes were played.": "Zwei Töne wurden abgespielt.",
	"Two people must approve this. After you, a second person is asked.": "Zwei Personen müssen das freigeben. Nach Ihnen wird eine zweite gefragt.",
	Type: "Typ",
	"Type its phrase; saying it does not run it. By voice, the agent may not call {tools}.": "Tippen Sie den Satz; gesprochen startet er es nicht. Per Sprache darf der Agent {tools} nicht aufrufen.",
	"Type of {name}": "Art von {name}",
	"Type {id} to confirm": "Geben Sie zur Bestätigung {id} ein",
	Types,
	Unblock,
	Unchanged,
	Undo,
	"Unique in this database.": "Eindeutig in dieser Datenbank.",
	"Unnamed macro": "Makro ohne Namen",
	Unsaved,
	"Unsaved changes. They stay in this tab, even when you go to another page.": "Nicht gespeicherte Änderungen. Sie bleiben in diesem Tab, auch wenn Sie die Seite wechseln.",
	Until: "Bis",
	Untitled,
	"Untitled conversation": "Gespräch ohne Titel",
	Upcoming,
	Updated,
	"Updated {ago}, {date}": "Aktualisiert {ago}, {date}",
	"Upload files": "Dateien hochladen",
	Uploading,
	Usage,
	"Use a value": "Wert verwenden",
	"Use it in this conversation": "In dieser Unterhaltung verwenden",
	"Use the saved version": "Gespeicherte Fassung verwenden",
	"Used by tools and addresses. It cannot be changed later.": "Wird von Werkzeugen und Adressen verwendet und lässt sich später nicht ändern.",
	User,
	Utility,
	Value,
	"Value {number}": "Wert {number}",
	"Values from earlier steps": "Werte aus früheren Schritten",
	"Values of {tool}": "Werte von {tool}",
	Verify,
	"Verify the audit": "Audit prüfen",
	"Verifying every line of the audit…": "Alle Zeilen des Audits werden geprüft …",
	Version,
	"Version {version}": "Version {version}",
	View,
	"Views of {title}": "Ansichten von {title}",
	Voice,
	"Voice and sound": "Stimme und Ton",
	"Voice session": "Sprachsitzung",
	"Voice-enabled": "Per Sprache",
	Wait,
	"Wait for the first words or sound": "Wartezeit bis zu den ersten Wörtern oder dem ersten Ton",
	"Wait, then try again.": "Warten Sie, dann versuchen Sie es noch einmal.",
	Waiting,
	"Waiting for an answer.": "Wartet auf eine Antwort.",
	"Waiting for approval": "Wartet auf Freigabe",
	"Waiting for approval: {question}": "Wartet auf Freigabe: {question}",
	"Waiting for your approval: {what}?": "Wartet auf Ihre Freigabe: {what}?",
	"Watch its progress. You can stop it at any time, and an interrupted run can be resumed.": "Verfolgen Sie den Fortschritt. Sie können jederzeit stoppen, und ein unterbrochener Lauf lässt sich fortsetzen.",
	Waterfall,
	Week,
	Weight,
	"What an agent may use in one turn: by voice / in writing. A call beyond that is refused, and the rule is named.": "Was ein Agent in einer Runde verbrauchen darf: per Sprache / schriftlich. Ein Aufruf darüber hinaus wird verweigert und die Regel genannt.",
	"What do you want to get done?": "Was wollen Sie erledigen?",
	"What each run works on: {input}.": "Eingabe jedes Laufs: {input}.",
	"What is spoken also appears in large type.": "Gesprochenes erscheint auch in großer Schrift.",
	"What it found and did appears here, with every step it took.": "Was er gefunden und getan hat, erscheint hier, mit jedem Schritt.",
	"What it is: person, project, document…": "Was es ist: Person, Projekt, Dokument …",
	"What would happen": "Was passieren würde",
	When,
	"When interrupted": "Bei Unterbrechung",
	"When the agent needs your approval and this page is hidden, your browser can notify you. It asks for your permission first.": "Wenn der Agent Ihre Freigabe braucht und diese Seite verdeckt ist, kann Ihr Browser Sie benachrichtigen. Er fragt Sie zuerst um Erlaubnis.",
	"Whenever I use a tool, a card shows its name, what I gave it, and why it was allowed or refused.": "Wenn ich ein Werkzeug verwende, zeigt eine Karte seinen Namen, die Eingaben und warum es erlaubt oder verweigert wurde.",
	"Where you hear the agent.": "Wo Sie den Agenten hören.",
	"Whole graph": "Ganzer Graph",
	"Whole output": "Ganze Ausgabe",
	"Why {score}?": "Warum {score}?",
	"With Claude the browser speaks, or the server with its built-in voice.": "Bei Claude spricht der Browser oder der Server mit seiner eingebauten Stimme.",
	Withdrawn,
	"Without edges": "Ohne Kanten",
	Words,
	Workflows,
	"Workflows Tour": "Rundgang: Workflows",
	"Would ask you": "Würde Sie fragen",
	"Would be refused": "Würde verweigert",
	"Would run": "Würde laufen",
	"Write your message here and press Enter. Hold Shift and press Enter for a new line.": "Schreiben Sie hier Ihre Nachricht und drücken Sie Enter. Umschalt und Enter ergibt eine neue Zeile.",
	"Write your own, as described below.": "Schreiben Sie ein eigenes, wie unten beschrieben.",
	Writes,
	"Writes text": "Schreibt einen Text",
	"Written by a model": "Von einem Modell geschrieben",
	"You approved it.": "Sie haben es freigegeben.",
	"You are asked every time": "Sie werden jedes Mal gefragt",
	"You are signed out. Sign in again in another tab; what you typed stays here.": "Sie sind abgemeldet. Melden Sie sich in einem anderen Tab wieder an; was Sie getippt haben, bleibt hier.",
	"You can also say “switch to the dark theme”, or find themes with {keys}.": "Sie können auch „switch to the dark theme“ sagen oder Designs mit {keys} finden.",
	"You can also {answer}.": "Sie können auch {answer}.",
	"You can continue a conversation right where you left off.": "Sie können eine Unterhaltung genau dort fortsetzen, wo Sie aufgehört haben.",
	"You can retry in {seconds} s.": "In {seconds} s können Sie es wieder versuchen.",
	"You can talk and write again in {left}. The other pages stay available.": "In {left} können Sie wieder sprechen und schreiben. Die anderen Seiten bleiben verfügbar.",
	"You denied it.": "Sie haben es abgelehnt.",
	"You have no current project now.": "Sie haben jetzt kein aktuelles Projekt.",
	"You speaking": "Sie sprechen",
	"You will be asked again before {tool} runs.": "Vor {tool} werden Sie wieder gefragt.",
	"You will not be asked again in this session.": "In dieser Sitzung werden Sie nicht wieder gefragt.",
	"You will not be asked again.": "Sie werden nicht wieder gefragt.",
	"Your answer did not get through, so nothing was done: {problem}": "Ihre Antwort kam nicht an, daher wurde nichts getan: {problem}",
	"Your events are stored in {place}. Import and export files there; they appear here.": "Ihre Termine sind in {place} gespeichert. Importieren und exportieren Sie Dateien dort; sie erscheinen hier.",
	"Your first project": "Ihr erstes Projekt",
	"Your projects": "Ihre Projekte",
	"Your question": "Ihre Frage",
	"Your question to {name}": "Ihre Frage an {name}",
	"Zoom in": "Vergrößern",
	"Zoom out": "Verkleinern",
	"a GIF image": "ein GIF-Bild",
	"a JPEG image": "ein JPEG-Bild",
	"a PDF": "ein PDF",
	"a PNG image": "ein PNG-Bild",
	"a Word document": "ein Word-Dokument",
	"a ZIP archive or an Office document": "ein ZIP-Archiv oder ein Office-Dokument",
	"a call is a name and one object of arguments": "ein Aufruf ist ein Name und ein Objekt mit Argumenten",
	"a date": "zu einem Datum",
	"a gzip archive": "ein gzip-Archiv",
	"a multiple of {multipleOf}": "ein Vielfaches von {multipleOf}",
	"a number of times": "eine Anzahl von Malen",
	"a person approves each call": "ein Mensch gibt jeden Aufruf frei",
	"a person has approved this tool beforehand": "ein Mensch hat dieses Werkzeug vorab freigegeben",
	"a person must approve it": "ein Mensch muss es freigeben",
	"a score of {score}: a possible match": "eine Bewertung von {score}: passt vielleicht",
	"a score of {score}: a strong match": "eine Bewertung von {score}: passt gut",
	"a score of {score}: a weak match": "eine Bewertung von {score}: passt kaum",
	"a thread": "ein Thread",
	"a tool": "ein Werkzeug",
	"a tool without a name": "ein Werkzeug ohne Namen",
	"a worker process with limits": "ein Arbeitsprozess mit Grenzen",
	"address share": "Adresse teilen",
	"all day": "ganztägig",
	always,
	"an old Office document (.doc, .xls)": "ein altes Office-Dokument (.doc, .xls)",
	"and {count} more": "und {count} weitere",
	"answered from the record": "aus dem Protokoll beantwortet",
	any,
	anything,
	"appearance colours mode": "Darstellung Farben Modus",
	"approval asked": "Freigabe angefragt",
	approved,
	"approved {when}": "freigegeben {when}",
	"asked first": "fragte zuerst",
	"at least {amount}": "mindestens {amount}",
	"at {moment}": "um {moment}",
	"audit line {seq}": "Audit-Zeile {seq}",
	"belongs to another macro": "gehört zu einem anderen Makro",
	browse,
	"by voice": "gesprochen",
	"called by another tool": "von einem anderen Werkzeug aufgerufen",
	characters,
	"check the chain": "Kette prüfen",
	"checking…": "wird geprüft …",
	"chosen by the model": "vom Modell gewählt",
	closed,
	"comes {note}": "kommt {note}",
	"contains none of the query's words": "enthält keines der Wörter der Anfrage",
	"contains {words}: {covered} of the query, BM25 {bm25}": "enthält {words}: {covered} der Anfrage, BM25 {bm25}",
	"continues without answering": "läuft ohne Antwort weiter",
	"conversation voice microphone": "Unterhaltung Stimme Mikrofon",
	"create a new one": "ein neues anlegen",
	"create a record": "einen Datensatz anlegen",
	"create one here": "legen Sie hier eines an",
	"created {when}": "angelegt {when}",
	"decision {decision}, rule {rule}": "Entscheidung {decision}, Regel {rule}",
	"default": "Standardwert",
	"default {usual}": "Standard {usual}",
	"desktop home screen": "Desktop Startbildschirm",
	done,
	empty,
	"empty text": "leerer Text",
	"end the conversation": "Unterhaltung beenden",
	entries,
	"exactly {amount}": "genau {amount}",
	expected,
	"expires now": "läuft jetzt ab",
	"expires {when}": "läuft ab {when}",
	"export it first": "exportieren Sie sie zuerst",
	failed,
	"finishes and answers": "läuft zu Ende und antwortet",
	"first sound": "erster Ton",
	"first words": "erste Wörter",
	forever,
	"from a step": "aus einem Schritt",
	"from step {from}": "aus Schritt {from}",
	"from the other to this record": "vom anderen zu diesem Datensatz",
	"from this record to the other": "von diesem Datensatz zum anderen",
	"from {source_type}": "aus {source_type}",
	"from {source}": "aus {source}",
	"good morning": "guten Morgen",
	graph,
	"guide help": "Anleitung Hilfe",
	"has too many digits to be sent exactly": "hat zu viele Ziffern, um genau gesendet zu werden",
	"high: cannot be approved by voice": "hoch: nicht mit der Stimme freizugeben",
	"in progress": "läuft",
	"in the background": "im Hintergrund",
	"in the background, as a task": "im Hintergrund, als Aufgabe",
	"in the browser": "im Browser",
	"in the user's browser": "im Browser des Benutzers",
	"in use": "aktiv",
	"in writing": "geschrieben",
	"in {time} until {moment}": "in {time} bis {moment}",
	input,
	"is empty": "ist leer",
	"is not a number": "ist keine Zahl",
	"is not a whole number": "ist keine ganze Zahl",
	"is not valid JSON: {message}": "ist kein gültiges JSON: {message}",
	"is too large": "ist zu groß",
	"it has returned nothing twice": "es hat zweimal nichts geliefert",
	"it runs in the browser, and none is connected": "es läuft im Browser, und keiner ist verbunden",
	"it would be refused.": "er würde verweigert.",
	items,
	"keys help": "Tasten Hilfe",
	"less than {exclusiveMaximum}": "weniger als {exclusiveMaximum}",
	"line {line}: {reason}": "Zeile {line}: {reason}",
	"linked to {records}, which match well": "verbunden mit {records}, die gut passen",
	list,
	"look it up": "schlag es nach",
	"low: a spoken yes is enough": "gering: ein gesprochenes Ja genügt",
	"matches {pattern}": "entspricht {pattern}",
	"more than {exclusiveMinimum}": "mehr als {exclusiveMinimum}",
	"my project": "mein Projekt",
	"name, type or relation": "Name, Typ oder Beziehung",
	"navigation sidebar": "Navigation Seitenleiste",
	"needs approval": "braucht Freigabe",
	"nested calls are limited": "verschachtelte Aufrufe sind begrenzt",
	"newest first": "neueste zuerst",
	no,
	"no (false)": "nein (false)",
	"no answer": "keine Antwort",
	"no calls are left in this turn": "in dieser Runde sind keine Aufrufe mehr übrig",
	"no edge to any of the best results": "keine Kante zu einem der besten Ergebnisse",
	"no function": "keine Funktion",
	"no limit": "keine Grenze",
	"no older lines": "keine älteren Zeilen",
	"no rounds are left in this turn": "in dieser Runde sind keine Durchläufe mehr übrig",
	"no rule objected": "keine Regel hatte etwas dagegen",
	"no searches are left in this turn": "in dieser Runde sind keine Suchen mehr übrig",
	"nodes in the graph": "Knoten im Graphen",
	none,
	"none: runs in the server": "keine: läuft im Server",
	"none: the browser runs it": "keine: der Browser führt es aus",
	"not applicable": "trifft nicht zu",
	"not available": "nicht verfügbar",
	"not embedded yet, so only its words count": "noch kein Embedding, daher zählen nur die Wörter",
	"not reached": "nicht erreicht",
	"not set": "nicht gesetzt",
	nothing,
	number,
	object,
	"object with {names}": "Objekt mit {names}",
	"of all possible edges": "aller möglichen Kanten",
	"on the server": "auf dem Server",
	one,
	"one session": "eine Sitzung",
	"only a person may confirm": "nur ein Mensch darf bestätigen",
	"or paste JSON": "oder JSON einfügen",
	"overlapping (modularity {value})": "überlappend (Modularität {value})",
	"read-only": "nur lesend",
	"records without an edge": "Datensätze ohne Kante",
	refused,
	repeats,
	replayed,
	required,
	running,
	"say yes or no": "Ja oder Nein sagen",
	"session {id}": "Sitzung {id}",
	set,
	"several days": "mehrere Tage",
	shared,
	"show the numbers": "zeig die Zahlen",
	"silent after interruption": "still nach Unterbrechung",
	"similarity of its embedding to the query (cosine {cosine})": "Ähnlichkeit seines Embeddings zur Anfrage (Kosinus {cosine})",
	skipped,
	started,
	"still running": "läuft noch",
	stopped,
	"stopped here": "hier gestoppt",
	"stopping…": "wird gestoppt …",
	stops,
	succeeded,
	text,
	"text only": "nur Text",
	"that items are unique": "dass Elemente nur einmal vorkommen",
	"that other members are refused": "dass andere Felder verweigert werden",
	"the allowed values": "die erlaubten Werte",
	"the arguments as a whole": "die Argumente insgesamt",
	"the arguments violate the tool's schema": "die Argumente verletzen das Schema des Werkzeugs",
	"the choice between forms": "die Wahl zwischen Formen",
	"the combination of forms": "die Verbindung von Formen",
	"the default": "der Standardwert",
	"the fewest entries": "die kleinste Zahl von Einträgen",
	"the fewest items": "die kleinste Zahl von Elementen",
	"the format": "das Format",
	"the keyword {keyword}": "das Schlüsselwort {keyword}",
	"the largest has {largest} records": "die größte hat {largest} Datensätze",
	"the largest value": "der größte Wert",
	"the longest length": "die größte Länge",
	"the most entries": "die größte Zahl von Einträgen",
	"the most items": "die größte Zahl von Elementen",
	"the one allowed value": "der einzige erlaubte Wert",
	"the reference": "der Verweis",
	"the same call came a third time": "derselbe Aufruf kam zum dritten Mal",
	"the same call was made before, so its record answers": "derselbe Aufruf kam schon vor; sein Protokoll antwortet",
	"the session has ended": "die Sitzung ist beendet",
	"the shortest length": "die kleinste Länge",
	"the smallest value": "der kleinste Wert",
	"the tool is not available to this user or environment": "das Werkzeug ist für diesen Benutzer oder diese Umgebung nicht verfügbar",
	"the tool may not be used in this mode": "das Werkzeug ist in diesem Modus nicht erlaubt",
	"the tool must exist": "das Werkzeug muss es geben",
	"the tool was called too often": "das Werkzeug wurde zu oft aufgerufen",
	"the tools have changed since the session began": "die Werkzeuge haben sich seit Beginn der Sitzung geändert",
	"the user is blocked": "der Benutzer ist gesperrt",
	"this console": "diese Konsole",
	"this entry": "diesen Eintrag",
	today,
	total,
	"turn {number}": "Runde {number}",
	"type a tag, press Enter": "Schlagwort, dann Enter",
	unique,
	"unplayed speech": "nicht abgespielte Sprache",
	"until {time}": "bis {time}",
	untitled,
	"up to {amount}": "bis zu {amount}",
	"updated {last_updated}": "aktualisiert {last_updated}",
	"updated {when}": "aktualisiert {when}",
	"variant {index}": "Variante {index}",
	"version {version}": "Version {version}",
	voice,
	"voice only": "nur Sprache",
	waited,
	"waiting for approval": "wartet auf Freigabe",
	"waiting for you": "wartet auf Sie",
	"weight {weight}": "Gewicht {weight}",
	"well separated (modularity {value})": "gut getrennt (Modularität {value})",
	"what is required": "was erforderlich ist",
	"whole number": "ganze Zahl",
	"works on, leads, cites…": "arbeitet an, leitet, zitiert …",
	writes,
	yes: "ja",
	"yes (true)": "ja (true)",
	"yes or no": "ja oder nein",
	"yes: repeating a call changes nothing more": "ja: ein wiederholter Aufruf ändert nichts weiter",
	"you said “{words}”": "Sie sagten „{words}“",
	yours,
	"{added} added, {updated} updated, {unchanged} unchanged.": "{added} hinzugefügt, {updated} aktualisiert, {unchanged} unverändert.",
	"{added} new, {merged} merged": "{added} neu, {merged} zusammengeführt",
	"{calendar} calendar": "Kalender {calendar}",
	"{count} asked first": "{count} erst nach Rückfrage",
	"{count} best matches": {
		"one": "{count} Treffer",
		"other": "{count} beste Treffer"
	},
	"{count} calls": {
		"one": "{count} Aufruf",
		"other": "{count} Aufrufe"
	},
	"{count} calls, {time} in tools": {
		"one": "{count} Aufruf, {time} in Werkzeugen",
		"other": "{count} Aufrufe, {time} in Werkzeugen"
	},
	"{count} edges": {
		"one": "{count} Kante",
		"other": "{count} Kanten"
	},
	"{count} events": {
		"one": "{count} Termin",
		"other": "{count} Termine"
	},
	"{count} failed": "{count} fehlgeschlagen",
	"{count} files in {folder} are not valid and were skipped:": {
		"one": "{count} Datei in {folder} ist ungültig und wurde übersprungen:",
		"other": "{count} Dateien in {folder} sind ungültig und wurden übersprungen:"
	},
	"{count} free slots. Choose one to add an event.": {
		"one": "{count} freie Zeit. Wählen Sie sie, um einen Termin anzulegen.",
		"other": "{count} freie Zeiten. Wählen Sie eine, um einen Termin anzulegen."
	},
	"{count} h": "{count} h",
	"{count} in {time}": "{count} in {time}",
	"{count} lines before it are intact.": {
		"one": "{count} Zeile davor ist unversehrt.",
		"other": "{count} Zeilen davor sind unversehrt."
	},
	"{count} lines, {from} to {to}": {
		"one": "Zeile {from}",
		"other": "{count} Zeilen, {from} bis {to}"
	},
	"{count} losses": {
		"one": "{count} Verlust",
		"other": "{count} Verluste"
	},
	"{count} macros saved.": {
		"one": "{count} Makro gespeichert.",
		"other": "{count} Makros gespeichert."
	},
	"{count} min": "{count} min",
	"{count} minutes": {
		"one": "{count} Minute",
		"other": "{count} Minuten"
	},
	"{count} minutes before": "{count} Minuten vorher",
	"{count} more": "{count} weitere",
	"{count} more days": {
		"one": "noch {count} Tag",
		"other": "noch {count} Tage"
	},
	"{count} more events in this period. Choose a shorter one to see them.": {
		"one": "{count} weiterer Termin in diesem Zeitraum. Wählen Sie einen kürzeren, um ihn zu sehen.",
		"other": "{count} weitere Termine in diesem Zeitraum. Wählen Sie einen kürzeren, um sie zu sehen."
	},
	"{count} more in the JSON.": {
		"one": "{count} weiteres im JSON.",
		"other": "{count} weitere im JSON."
	},
	"{count} neighbours hidden.": {
		"one": "{count} Nachbar ausgeblendet.",
		"other": "{count} Nachbarn ausgeblendet."
	},
	"{count} newest sessions": "{count} neueste Sitzungen",
	"{count} newest turns": "{count} neueste Runden",
	"{count} not shown": "{count} nicht angezeigt",
	"{count} open questions": {
		"one": "{count} offene Freigabe",
		"other": "{count} offene Freigaben"
	},
	"{count} people": {
		"one": "{count} Person",
		"other": "{count} Personen"
	},
	"{count} playbooks": {
		"one": "{count} Playbook",
		"other": "{count} Playbooks"
	},
	"{count} problems": {
		"one": "{count} Problem",
		"other": "{count} Probleme"
	},
	"{count} questions are waiting for your approval.": {
		"one": "{count} Frage wartet auf Ihre Freigabe.",
		"other": "{count} Fragen warten auf Ihre Freigabe."
	},
	"{count} questions denied. Nothing was done.": {
		"one": "{count} Freigabe abgelehnt. Nichts wurde getan.",
		"other": "{count} Freigaben abgelehnt. Nichts wurde getan."
	},
	"{count} ran": "{count} ausgeführt",
	"{count} records": {
		"one": "{count} Datensatz",
		"other": "{count} Datensätze"
	},
	"{count} records are waiting to be embedded; full-text search finds them already.": {
		"one": "{count} Datensatz wartet auf sein Embedding; die Volltextsuche findet ihn bereits.",
		"other": "{count} Datensätze warten auf ihr Embedding; die Volltextsuche findet sie bereits."
	},
	"{count} refused": "{count} verweigert",
	"{count} replayed": "{count} wiederholt beantwortet",
	"{count} results": {
		"one": "{count} Ergebnis",
		"other": "{count} Ergebnisse"
	},
	"{count} results in {ms} ms, best first": {
		"one": "{count} Ergebnis in {ms} ms",
		"other": "{count} Ergebnisse in {ms} ms, beste zuerst"
	},
	"{count} rows are not valid:": {
		"one": "{count} Zeile ist ungültig:",
		"other": "{count} Zeilen sind ungültig:"
	},
	"{count} s": "{count} s",
	"{count} seconds": {
		"one": "{count} Sekunde",
		"other": "{count} Sekunden"
	},
	"{count} sentences, read by {readers}.": {
		"one": "{count} Satz, gelesen von {readers}.",
		"other": "{count} Sätze, gelesen von {readers}."
	},
	"{count} sessions": {
		"one": "{count} Sitzung",
		"other": "{count} Sitzungen"
	},
	"{count} sessions, lines {from} to {to}, tools {version}.": {
		"one": "{count} Sitzung, Zeilen {from} bis {to}, Werkzeuge {version}.",
		"other": "{count} Sitzungen, Zeilen {from} bis {to}, Werkzeuge {version}."
	},
	"{count} sources": {
		"one": "{count} Quelle",
		"other": "{count} Quellen"
	},
	"{count} starts": {
		"one": "{count} Start",
		"other": "{count} Starts"
	},
	"{count} steps": {
		"one": "{count} Schritt",
		"other": "{count} Schritte"
	},
	"{count} tokens": "{count} Tokens",
	"{count} tools": {
		"one": "{count} Werkzeug",
		"other": "{count} Werkzeuge"
	},
	"{count} tries": {
		"one": "{count} Versuch",
		"other": "{count} Versuche"
	},
	"{count} turns": {
		"one": "{count} Runde",
		"other": "{count} Runden"
	},
	"{different} of {count} decisions would change.": "{different} von {count} Entscheidungen würden sich ändern.",
	"{done} of {count} approved": "{done} von {count} freigegeben",
	"{done} of {count} done": "{done} von {count} erledigt",
	"{error} (Part {at} of {count}; earlier parts are imported.)": "{error} (Teil {at} von {count}; die Teile davor sind importiert.)",
	"{event} deleted.": "{event} gelöscht.",
	"{id} in {database}": "{id} in {database}",
	"{index} of {count}": "{index} von {count}",
	"{input} tokens in, {output} out": "{input} Tokens gelesen, {output} geschrieben",
	"{key} {key2} to select, {key3} to open, {key4} to close": "{key} {key2} auswählen, {key3} öffnen, {key4} schließen",
	"{label}, in full": "{label}, vollständig",
	"{least} to {most}": "{least} bis {most}",
	"{left} left": "noch {left}",
	"{length} characters, read in {count} parts.": {
		"one": "{length} Zeichen, in {count} Teil gelesen.",
		"other": "{length} Zeichen, in {count} Teilen gelesen."
	},
	"{link} or {link2}. Connected records appear here.": "{link} oder {link2}. Verbundene Datensätze erscheinen hier.",
	"{mean} per record on average": "{mean} je Datensatz im Durchschnitt",
	"{message}. Try {expected}.": "{message}. Versuchen Sie {expected}.",
	"{name} (part {at} of {count})": "{name} (Teil {at} von {count})",
	"{name} deleted.": "{name} gelöscht.",
	"{name} is looking it up…": "{name} schlägt nach …",
	"{name} remembers {count} turns of this conversation.": {
		"one": "{name} weiß noch {count} Runde dieser Unterhaltung.",
		"other": "{name} weiß noch {count} Runden dieser Unterhaltung."
	},
	"{name} started a new conversation.": "{name} beginnt eine neue Unterhaltung.",
	"{name}: running {step_count} steps…": "{name}: {step_count} Schritte laufen …",
	"{provider} API key": "{provider}-API-Schlüssel",
	"{provider} API key removed.": "{provider}-API-Schlüssel entfernt.",
	"{provider} model for conversations": "{provider}-Modell für Unterhaltungen",
	"{shown} of {all} tools": "{shown} von {all} Werkzeugen",
	"{shown} of {records} nodes, {edges} edges": "{shown} von {records} Knoten, {edges} Kanten",
	"{start} to {end}": "{start} bis {end}",
	"{start}, all day": "{start}, ganztägig",
	"{step} failed on attempt {attempt} and is retried": "{step} bei Versuch {attempt} fehlgeschlagen, wird wiederholt",
	"{step} finished: {status}": "{step} beendet: {status}",
	"{step} kept from the earlier run": "{step} aus dem früheren Lauf übernommen",
	"{step} started": "{step} gestartet",
	"{title} as a table": "{title} als Tabelle",
	"{title} deleted.": "{title} gelöscht.",
	"{title} saved.": "{title} gespeichert.",
	"{title} was added to your calendar.": "{title} steht jetzt in Ihrem Kalender.",
	"{tool} ran and failed ({error}).": "{tool} lief und ist fehlgeschlagen ({error}).",
	"{tool} ran and failed.": "{tool} lief und ist fehlgeschlagen.",
	"{tool} ran in {time}.": "{tool} lief in {time}.",
	"{tool} ran.": "{tool} wurde ausgeführt.",
	"{tool} waited for approval.": "{tool} wartete auf Freigabe.",
	"{tool} was already running; this call waited for it.": "{tool} lief bereits; dieser Aufruf hat darauf gewartet.",
	"{tool} was answered from the record of the same call.": "{tool} wurde aus dem Protokoll desselben Aufrufs beantwortet.",
	"{tool} was refused by the rule {rule} ({error}).": "{tool} wurde von der Regel {rule} verweigert ({error}).",
	"{tool} was refused by the rule {rule}.": "{tool} wurde von der Regel {rule} verweigert.",
	"{tool} was running when the server stopped. Its outcome is unknown.": "{tool} lief, als der Server anhielt. Das Ergebnis ist unbekannt.",
	"{type} in {database}": "{type} in {database}",
	"{user} is no longer blocked.": "{user} ist nicht mehr gesperrt.",
	"{value} (not allowed)": "{value} (nicht erlaubt)",
	"{what} ended": "{what} ist beendet",
	"{what} failed": "{what} ist fehlgeschlagen",
	"{what} finished": "{what} ist fertig",
	"{what} was cut off and may or may not have taken effect": "{what} wurde abgebrochen und ist vielleicht wirksam geworden",
	"{what} was stopped": "{what} wurde gestoppt",
	"{where} is not a macro: it has no list of steps.": "{where} ist kein Makro: Es hat keine Liste von Schritten.",
	"{where} is not a macro: step {number} names no function.": "{where} ist kein Makro: Schritt {number} nennt keine Funktion.",
	"{who} approved it.": "{who} hat es freigegeben.",
	"{who} denied it.": "{who} hat es abgelehnt.",
	"{words}, until {day}": "{words}, bis {day}",
	"{words}, {count} times": {
		"one": "{words}, einmal",
		"other": "{words}, {count}-mal"
	},
	"“My project” is now {name}.": "„Mein Projekt“ ist jetzt {name}.",
	"“{bad}” is not a valid email address.": "„{bad}“ ist keine gültige E-Mail-Adresse.",
	"“{phrase}” will no longer do anything. This cannot be undone; export the macro first if you may need it again.": "„{phrase}“ wird nichts mehr auslösen. Das lässt sich nicht rückgängig machen; exportieren Sie das Makro vorher, wenn Sie es noch brauchen könnten."
};
export { Action, Actions, Active, Activity, Add, Address, After, Agenda, Agent, Agents, All, Analytics, Answered, Appearance, Apply, Approvals, Approve, Approved, Area, Arguments, Ask, Asked, At, Audit, Automatic, Automations, Availability, Available, Back, Betweenness, Budgets, Busy, Calendar, Calendars, Calls, Cancel, Canonical, Captions, Category, Changed, Chat, Clear, Clock, Close, Communities, Comparison, Components, Confirmation, Contract, Contribution, Conversation, Conversations, Copied, Copy, Create, Dark, Databases, Day, Decision, Degree, Delete, Denied, Density, Description, Details, Difference, Digest, Direction, Dismiss, Done, Download, Duration, Edges, Edit, Ended, Ends, Entities, Envelope, Error, Event, Events, Everywhere, Examples, Execution, Expand, Experts, Expired, Expires, Export, Failed, Failures, Files, Filter, Filters, Focus, Follow, Free, From, Function, Gallery, Gates, Graph, Guests, Guide, Handlers, Hidden, Hide, High, Hour, ID, Idempotent, Idle, Import, Imported, Input, Isolated, Isolation, Knowledge, Language, Light, Line, Lines, Loading, Location, Lookups, Low, Macros, Meaning, Metadata, Metric, Metrics, Microphone, Mode, Model, Models, Modes, Month, More, Name, Neighbours, New, Newer, Newest, Next, Notes, Nothing, Notifications, Now, Off, Older, On, Open, Optional, Outcome, Outline, Output, Pages, Part, Paused, Pending, Person, Playbook, Playbooks, Previous, Problem, Progress, Projects, Provider, Question, Queued, Ran, Range, Readable, Ready, Reason, Recent, Record, Recording, Records, Refusals, Refuse, Related, Relation, Relations, Reload, Remove, Repeats, Replay, Replayed, Reset, Response, Result, Results, Resume, Resumed, Retrieval, Review, Revoke, Risk, Rule, Run, Running, Runs, Save, Scheduled, Schedules, Score, Search, Sections, Session, Sessions, Settings, Skipped, Source, Sources, Speaker, Started, Starts, Status, Steps, Stop, Stopped, Succeeded, Tags, Talk, Target, Tentative, Test, Text, Theme, Themes, Then, This, Time, Timeline, Timeout, Title, To, Today, Tool, Tools, Total, Tour, Trace, Traces, Turns, Type, Types, Unblock, Unchanged, Undo, Unsaved, Until, Untitled, Upcoming, Updated, Uploading, Usage, User, Utility, Value, Verify, Version, View, Voice, Wait, Waiting, Waterfall, Week, Weight, When, Withdrawn, Words, Workflows, Writes, always, any, anything, approved, browse, characters, closed, de_default as default, done, empty, entries, expected, failed, forever, graph, input, items, list, no, none, nothing, number, object, one, refused, repeats, replayed, required, running, set, shared, skipped, started, stopped, stops, succeeded, text, today, total, unique, untitled, voice, waited, writes, yes, yours };
