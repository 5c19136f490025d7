"""Words that tell people, organisations and places from each other, and what is no name at all."""

from __future__ import annotations

from antiphon.text.calendar_names import MONTHS, MONTHS_SHORT, WEEKDAYS, WEEKDAYS_SHORT
from antiphon.text.words import FUNCTION_WORDS, word_set

TITLES = word_set(
    "mr mrs ms miss mx dr prof professor sir dame lord lady captain president chancellor "
    "minister senator judge king queen father sister saint"
)

# Role as written -> the relation of who has it to what it is a role in.
ROLES = {
    "ceo": "leads", "cto": "works_for", "cfo": "works_for", "coo": "works_for",
    "cio": "works_for", "cmo": "works_for", "cpo": "works_for", "chief executive": "leads",
    "chief executive officer": "leads", "chief technology officer": "works_for",
    "chief financial officer": "works_for", "chief operating officer": "works_for",
    "founder": "founded", "co-founder": "founded", "cofounder": "founded",
    "founder and ceo": "founded", "president": "leads", "chair": "leads", "chairman": "leads",
    "chairwoman": "leads", "director": "leads", "managing director": "leads", "head": "leads",
    "lead": "leads", "leader": "leads", "manager": "leads", "owner": "owns",
    "vice president": "works_for", "engineer": "works_for", "designer": "works_for",
    "developer": "works_for", "analyst": "works_for", "consultant": "works_for",
    "researcher": "works_for", "scientist": "works_for", "architect": "works_for",
    "professor": "works_for", "editor": "works_for", "partner": "works_for",
    "member": "part_of", "author": "created", "creator": "created", "inventor": "created",
}  # fmt: skip

COMPANY_SUFFIXES = word_set(
    "inc incorporated ltd limited llc llp plc gmbh ag sa srl sarl spa bv nv oy ab as kg corp "
    "corporation co company pty"
)
ORGANISATION_WORDS = word_set(
    "group holdings partners studio studios labs laboratory laboratories university college "
    "institute school academy bank foundation association society agency ministry department "
    "council committee commission union federation hospital museum library press times post "
    "airlines airways motors technologies systems software networks industries works brothers "
    "ventures capital consulting team club church court parliament agency analytics archive "
    "architects associates bakery bakeries bistro bookshop books brewery cafe centre cinema clinic "
    "collective cooperative dairy daughters dynamics energy farm farms films foods foundry gallery "
    "garage gardens guild health hospital hotel inn insurance instruments law lab llp logistics "
    "media mill mills nursery observatory office opera orchestra pharmacy pictures productions "
    "publishers publishing railways records restaurant roasters robotics sanctuary services "
    "shipyard shipyards shipping solutions sons stores telecom theatre theater trust winery"
)
# Common nouns that say what kind of thing a name before or behind them is.
ORGANISATION_NOUNS = word_set(
    "company firm startup start-up business agency bank bakery brewery mill studio shop bookshop "
    "restaurant cafe charity foundation publisher manufacturer supplier organisation organization "
    "institute university school college clinic hospital museum theatre gallery hotel cooperative "
    "collective nonprofit factory farm house label band team consultancy practice retailer producer"
)
PROJECT_NOUNS = word_set("project programme program")
# Endings and words of what people do for a living.
OCCUPATION_ENDINGS = ("ist", "ian", "eer", "er", "or", "ant", "smith", "wright", "keeper", "woman")
OCCUPATIONS = word_set(
    "nurse chef cook clerk judge coach pilot guard scribe artist physicist chemist mechanic "
    "surgeon student fellow intern apprentice trainee volunteer head chief welder doctor vet"
)
# Things that have a name without a capital: "the billing service".
THINGS_WITHOUT_CAPITAL = word_set(
    "api app application backend cache client cluster console dashboard database frontend gateway "
    "index job library module pipeline platform plugin portal proxy queue scheduler server service "
    "store system warehouse website worker workflow"
)
TEAMS_WITHOUT_CAPITAL = word_set("team squad department division crew unit")
PLACE_WORDS = word_set(
    "street avenue road square city county river lake mount mountain island islands bay valley "
    "province district airport station harbour harbor bridge park sea ocean desert"
)
PLACES = word_set(
    "africa america asia europe australia antarctica albania algeria argentina austria "
    "bangladesh belgium bolivia brazil bulgaria cambodia cameroon canada chile china colombia "
    "croatia cuba cyprus czechia denmark ecuador egypt england estonia ethiopia finland france "
    "georgia germany ghana greece hungary iceland india indonesia iran iraq ireland israel "
    "italy japan jordan kenya korea kuwait latvia lebanon lithuania luxembourg malaysia malta "
    "mexico moldova morocco nepal netherlands nigeria norway pakistan peru philippines poland "
    "portugal qatar romania russia scotland senegal serbia singapore slovakia slovenia spain "
    "sudan sweden switzerland syria taiwan tanzania thailand tunisia turkey uganda ukraine "
    "uruguay venezuela vietnam wales amsterdam ankara athens atlanta austin baghdad bangkok "
    "barcelona beijing belgrade berlin bern birmingham bogota boston bratislava brussels "
    "bucharest budapest cairo calgary chicago cluj-napoca cluj cologne copenhagen dallas delhi "
    "denver detroit dhaka dubai dublin edinburgh florence frankfurt geneva glasgow hamburg "
    "hanoi helsinki houston istanbul jakarta jerusalem johannesburg karachi kolkata krakow kyiv "
    "lagos leeds lima lisbon liverpool ljubljana london lyon madrid manchester manila marseille "
    "melbourne miami milan minneapolis montreal moscow mumbai munich nairobi naples osaka oslo "
    "ottawa oxford cambridge paris philadelphia phoenix portland prague quebec reykjavik riga "
    "rome rotterdam santiago seattle seoul shanghai sofia stockholm sydney tallinn tehran tokyo "
    "toronto turin valencia vancouver venice vienna vilnius warsaw washington zagreb zurich "
    "iasi timisoara brasov sibiu constanta oradea usa uk us uae eu"
) | {
    "new york", "new york city", "san francisco", "los angeles", "san diego", "las vegas",
    "hong kong", "rio de janeiro", "sao paulo", "buenos aires", "mexico city", "cape town",
    "tel aviv", "kuala lumpur", "new delhi", "new zealand", "south africa", "south korea",
    "north korea", "saudi arabia", "sri lanka", "costa rica", "united states", "united kingdom",
    "united states of america", "united arab emirates", "european union", "czech republic",
    "silicon valley", "north america", "south america", "latin america", "middle east",
    "puerto rico", "the hague", "saint petersburg", "st petersburg", "porto alegre",
}  # fmt: skip

FIRST_NAMES = word_set(
    "aaron abdul ada adam adrian agnes ahmed aisha alan albert alejandro aleksander alessandro "
    "alex alexander alexandra alexandru alexei ali alice alicia alina amanda amelia amina amir "
    "amy ana anders andrea andreas andrei andrew angela anita anja ann anna anne anthony anton "
    "antonio arjun arthur astrid barbara beatrice ben benjamin bernard bianca bogdan boris "
    "brian bruno camille carl carla carlos carmen caroline catherine cecilia charles charlotte "
    "chen chiara chloe chris christian christina christine christopher clara claire claudia "
    "clement colin cristian cristina dan dana daniel daniela david deborah denis diana diego "
    "dmitri dominic donald dorothy edward elena eleanor elias elisabeth elizabeth ella emil "
    "emily emma enrique eric erik esther eva evelyn fatima felix fernando fiona florence florin "
    "francesca francesco francis frank franz frederic gabriel gabriela gary george gerald "
    "giovanni giulia grace greta guido gustav hannah hans harold harry hassan heinrich helen "
    "helena henrik henry hiroshi hugo ian ibrahim igor ines ingrid ioana ion ioan irene irina "
    "isaac isabel isabella ivan ivana jack jacob jaime james jan jane janet jasmine jason "
    "javier jean jeff jennifer jessica joan joao johan johann john jonas jonathan jorge jose "
    "joseph josef juan judith julia julian julie karen karl kate katherine kathleen katrin "
    "keith kenji kevin kim klara klaus kofi kwame lars laura lea lena leo leon leonardo liam "
    "lidia lilian lina linda linus lisa louis louise luca lucas lucia lucy luis luka luke lukas "
    "magdalena manuel marc marcel marco marcus margaret maria marie marina mario mark marko "
    "marta martha martin mary mateo matthew matthias max maya mehmet mei mia michael michel "
    "michelle miguel mihaela mihai mikhail milan mohamed mohammed monica nadia naomi natalia "
    "natasha nathan nicholas nick nicola nicolas nicole nikhil nikola nina noah noor nora olga "
    "oliver olivia omar oscar otto pablo patricia patrick paul paula pavel pedro peter petra "
    "philip pierre pietro priya rachel radu rafael rahul raj ralph ravi raymond rebecca ricardo "
    "richard rita robert roberto roger roland roman rosa rose roxana ruth ryan sabine samir "
    "samuel sandra sanjay sara sarah sasha sebastian sergei sergio silvia simon simona sofia "
    "sophia sophie stefan stella stephanie stephen steve steven susan sven sylvia tamara tariq "
    "teresa theo theodor thomas tim timothy tobias tom tomas ursula valentina vanessa vasile "
    "vera veronica victor viktor vincent viktoria virginia vlad vladimir walter wei wendy "
    "william wolfgang xavier yasmin yuki yusuf yvonne zara zoe zsofia"
)

# Nouns that make a capitalised phrase the name of a thing, not of a person.
THING_WORDS = word_set(
    "agreement algorithm analysis api app application architecture archive article assistant "
    "atlas award bill board book budget calendar campaign catalogue center centre chapter "
    "charter checklist cloud code collection conference console contract course dashboard data "
    "database day design desk development document edition engine engineering event exhibition "
    "factory fair festival file framework function fund game gateway graph guide guidelines "
    "handbook history index infrastructure initiative intelligence interface journal kit "
    "knowledge language law learning letter list lite machine magazine management manual map "
    "market method metrics mode model module network notes office operation order package paper "
    "plan platform playbook policy portal prize process product program programme project "
    "protocol public record release report research review roadmap room rule sale schema "
    "science search security series server service session sheet show software space "
    "specification sprint standard stand station story strategy suite summit system table task "
    "template test theory tool toolkit tour training transfer treaty trial tutorial update "
    "version view voice war web week workflow workshop year"
)

# Words that begin sentences or stand capitalised without being names.
NOT_NAMES = (
    (FUNCTION_WORDS - {"s", "t"})  # as "Model S" ends
    | {name.lower() for names in (MONTHS, MONTHS_SHORT, WEEKDAYS, WEEKDAYS_SHORT) for name in names}
    | word_set(
        "above according across actually ad add after against almost along already although "
        "always among another anyone around asap ask away back based bc because before behind "
        "below besides between both call check choose click come consider create currently dear "
        "despite done down due during earlier early either else enter etc even eventually every "
        "everyone everything example except faq few figure finally find first following former "
        "further furthermore fyi get give given go good half having hello help hence hers hi "
        "however indeed inside instead itself keep last late later least less let like many "
        "maybe meanwhile might mine moreover much must nb near nearly neither never "
        "nevertheless new next nobody none nor note nothing often ok old once one only onto "
        "open other others otherwise ours own page part per perhaps please pm press ps put "
        "rather read really recently regards remember run same second see select sept several "
        "shall similarly since someone something sometimes soon still such table take tba tbd "
        "thank thanks theirs therefore thing things third though three through throughout thus "
        "today together tomorrow tonight toward towards turn two unless unlike until upon use "
        "used using usually various via vs welcome well whatever whenever whereas wherever "
        "whether while whoever within without write yes yesterday yet yours"
    )
)

CONNECTORS = word_set("of the de da di del der den van von la le el bin ibn al y e and for")
