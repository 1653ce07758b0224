/** Italian. */
export const it = `
## Times and amounts

today = Oggi
tomorrow = Domani
yesterday = Ieri
# Inside a sentence: “since yesterday 20:15”
today-inside = oggi
tomorrow-inside = domani
yesterday-inside = ieri
# Today 20:15
day-and-time = { $day } { $time }
days = { $days ->
    [one] { $days } giorno
    [many] { $days } di giorni
   *[other] { $days } giorni
}
hours = { $hours } h
minutes = { $minutes } min
seconds = { $seconds } s
# 1 h 30 min
larger-and-smaller = { $larger } { $smaller }

## Frame: around every page

frame-loading = Caricamento…
frame-waiting = In attesa del registratore…
frame-skip = Vai al contenuto
frame-pages = Pagine
# The title of the window. $page is the name of a page, $name that of the program.
frame-title = { $page } · { $name }
# $time has seconds: 20:15:03
frame-silent = Il registratore non risponde dalle { $time }. I dati mostrati risalgono a quel momento. Nuovo tentativo in corso…
frame-part-missing = Impossibile caricare una parte di questa pagina. La pagina si ricaricherà appena il registratore risponderà.
# Read out when the page gets every change at once
frame-live = in tempo reale
frame-connecting = connessione…
frame-guide-server = server guida
frame-colours = Colori: { $theme ->
    [light] chiari
    [dark] scuri
   *[system] come il sistema
}
frame-language = Lingua
frame-signed-out = Sessione chiusa.
frame-sign-out = Esci

## Navigation and common parts

# The name of a button that asks before it acts: Delete…
confirm-opens = { $label }…
confirm-keep = Mantieni
dialog-close = Chiudi

# Names of pages, and their headings. The first five are in a bar at the bottom of a phone: about 40 letters fit in all.
nav-tonight = Stasera
nav-guide = Guida
nav-recordings = Registrazioni
nav-rules = Regole
nav-more = Altro
nav-devices = Dispositivi
nav-channels = Canali
nav-users = Utenti
nav-timeline = Linea temporale
nav-timers = Timer
nav-tuners = Tuner
nav-log = Log
# The page More: a line under each link
more-timeline = Che cosa registra ogni tuner, ora per ora
more-timers = Tutte le registrazioni previste e il loro esito
more-tuners = Ricezione, canali e spazio su disco
more-log = Che cosa ha fatto il registratore
more-guide-service = Servizio guida
more-guide-service-line = Da dove arrivano programmi e timer
more-users = Chi può usare questo server guida
more-browser = Questo browser
push-turn-on = Attiva le notifiche
push-turn-off = Disattiva le notifiche
push-is-on = Ora le notifiche arrivano su questo dispositivo. Una notifica di prova è in arrivo.
push-is-off = Questo browser non riceve più notifiche.
push-insecure = Le notifiche raggiungono un browser solo tramite un indirizzo sicuro (https).
push-impossible = Questo browser non può ricevere notifiche. Su un iPhone o iPad, aggiungere prima questa pagina alla schermata Home.
push-denied = Il browser non consente le notifiche di questa pagina. Consentirle nelle impostazioni del browser.
push-refused = Il servizio push del browser ha rifiutato la richiesta. Riprovare più tardi.
more-recorder = Registratore
more-version = recorderd { $version }
# A button: asks the guide service for timers at once
more-sync = Sincronizza ora
more-syncing = Richiesta inviata al servizio guida.

## Tonight

# The first sentence of the start page. Tonight lasts until six in the morning.
tonight-nothing = Nessuna registrazione prevista stasera.
tonight-only-running = { $count ->
    [one] 1 registrazione in corso. Nient’altro è previsto stasera.
    [many] { $count } di registrazioni in corso. Nient’altro è previsto stasera.
   *[other] { $count } registrazioni in corso. Nient’altro è previsto stasera.
}
tonight-all = { $count ->
    [one] 1 registrazione programmata per stasera.
    [many] Tutte le registrazioni di stasera ({ $count }) sono programmate.
   *[other] Tutte e { $count } le registrazioni di stasera sono programmate.
}
# $planned: those that have a tuner
tonight-some = { $count ->
    [one] 1 registrazione di stasera non può essere effettuata come previsto.
   *[other] { $planned ->
        [0] Stasera nessuna delle { $count } registrazioni può essere effettuata come previsto.
        [one] Stasera solo 1 registrazione su { $count } può essere effettuata come previsto.
       *[other] Stasera solo { $planned } registrazioni su { $count } possono essere effettuate come previsto.
    }
}
tonight-decisions = { $count ->
    [one] 1 decisione da prendere.
    [many] { $count } di decisioni da prendere.
   *[other] { $count } decisioni da prendere.
}
tonight-now = In registrazione
tonight-next = A seguire, fino a domattina
tonight-lost = Non registrati
tonight-new = Da vedere
tonight-show-all = Mostra tutto
# The same link, read out. $of is the title of its list: “New to watch”
tonight-show-all-of = Mostra tutto: { $of }
tonight-watch = Guarda
tonight-watch-it = Guarda { $name }
# $share is a percentage, of the broadcast and of the recording
tonight-over = { $share } già trasmesso
tonight-until = fino alle { $time }
tonight-until-well = fino alle { $time } · nessuna interruzione
# $day: “Yesterday”, or a date. $length: “50 min”, or “27 min left”
tonight-day-and-length = { $day } · { $length }
tonight-left = ancora { $length }
# Nothing was recorded in this home yet
tonight-start = Ancora nessuna registrazione. Per iniziare, cercare un programma nella <link>Guida</link>.
tonight-hours = { $hours ->
    [0] Spazio su disco per meno di un’ora di registrazioni.
    [one] Spazio per un’altra ora circa.
    [many] Spazio per altri { $hours } di ore circa.
   *[other] Spazio per altre { $hours } ore circa.
}
# $at: “Tomorrow 00:50”
tonight-full = Il disco sarà pieno: { $at }

## Decisions: conflicts and what solves them

decision-title = Decisioni
decision-searching = La ricerca di un piano migliore continua.
# $names: one or more titles. $start and $stop: times of day.
decision-lost = { $count ->
    [one] { $names } non verrebbe registrato: nessun tuner è libero dalle { $start } alle { $stop }.
    [many] { $names } non verrebbero registrati: nessun tuner è libero dalle { $start } alle { $stop }.
   *[other] { $names } non verrebbero registrati: nessun tuner è libero dalle { $start } alle { $stop }.
}
# $lost: a length, such as 7 min. $from: a time of day.
decision-partly = { $names } perderebbe { $lost } all’inizio: nessun tuner è libero prima delle { $from }.
# Somebody chose another recording before this one.
decision-settled = Non è prevista la registrazione di { $names }: un’altra registrazione ha la precedenza.
# A tuner that fails is tried all the same.
decision-uncertain = { $names } potrebbe non essere registrato: il tuner previsto ha problemi e nessun altro è libero.
decision-other = { $names } non verrebbe registrato.
# Where and when: Das Erste, Today 20:15–21:45
decision-on = { $channel }, { $when }
decision-choices = Opzioni
# $at: a day and a time.
decision-repeat = Registra la replica: { $at }
decision-repeat-of = Registra la replica di { $name }: { $at }
decision-repeat-cost = Su { $channel }. Non si perde nulla.
decision-record = Registra { $names }
# A title and when it begins, where titles are listed: News 20:00
decision-name = { $name } { $time }
decision-cost-nothing = Non si perde nulla.
decision-cost-lost = { $count ->
    [one] { $names } non viene registrato.
    [many] { $names } non vengono registrati.
   *[other] { $names } non vengono registrati.
}
decision-cost-partly = { $count ->
    [one] { $names } viene registrato solo in parte.
    [many] { $names } vengono registrati solo in parte.
   *[other] { $names } vengono registrati solo in parte.
}
decision-cost-mixed = Non registrati: { $names }. Solo in parte: { $partly }.
decision-cost-cancel = { $name } viene annullato.
decision-done-repeat = Prenotazione della replica di { $name } in corso. Appena confermata, questo timer verrà annullato.
decision-done-priority = { $name } ha ora la precedenza. Il piano è in aggiornamento.
decision-done-cancel = { $name } è stato annullato. Il piano è in aggiornamento.
# $tuner: the name of a tuner.
decision-add-tuner = Un secondo tuner come { $tuner } risolverebbe il problema.
decision-none = Nessuna singola modifica basterebbe: né annullare un’altra registrazione, né una priorità più alta, né un tuner in più.
decision-why = Perché?
decision-change = Cambia scelta
# $when: day and times.
decision-holder = { $tuner } registra { $name } ({ $when }).
decision-show-all = Mostra tutte ({ $count })


## Troubles, by error code

# One sentence says what is wrong, another what to do.
trouble-title = Problemi
# $at: a day and a time, or a time.
trouble-since = Inizio: { $at }
trouble-technical = Dettagli tecnici
trouble-guide-sign-in = Il servizio guida richiede un nuovo accesso. Fino ad allora non arrivano nuovi timer. <link>Accedi</link>
trouble-guide-few = { $listed ->
    [one] Il servizio guida elenca solo 1 timer su { $held }. Nessun timer viene annullato per questo motivo.
    [many] Il servizio guida elenca solo { $listed } di timer su { $held }. Nessun timer viene annullato per questo motivo.
   *[other] Il servizio guida elenca solo { $listed } timer su { $held }. Nessun timer viene annullato per questo motivo.
}
trouble-clock = L’orologio del registratore non è attendibile. Le registrazioni continuano; l’esito verrà stabilito quando l’ora sarà corretta. Controllare data e ora del registratore.
trouble-clock-behind = L’orologio del registratore sembra indietro di { $by }. Controllare data e ora del registratore.
trouble-clock-ahead = L’orologio del registratore sembra avanti di { $by }. Controllare data e ora del registratore.
trouble-data-disk-full = Il disco dei dati del registratore è pieno. Le registrazioni in corso continuano; liberare spazio su quel disco.
trouble-data-disk-low = Il disco dei dati del registratore è pieno ed è in uso la riserva. Liberare spazio su quel disco.
trouble-secrets = Il registratore non riesce a leggere le password salvate. Le registrazioni programmate non ne risentono.
trouble-secrets-earlier = Il registratore non riesce a leggere le password salvate e usa le precedenti fino al riavvio.
trouble-no-answer = Il registratore non risponde.
trouble-answer = Il registratore non ha potuto eseguire l’operazione (stato { $status }).
trouble-other = Si è verificato un problema. Maggiori informazioni nei dettagli tecnici.

trouble-no-tuner-free = Nessun tuner è libero a quest’ora: servono tutti ad altre registrazioni.
trouble-guide-unreachable = Il servizio guida non è raggiungibile. Controllare la connessione a Internet; il registratore continua a provare.
trouble-guide-busy = Il servizio guida al momento non è disponibile. Il registratore continua a provare.
trouble-guide-unreadable = Il registratore non riesce a leggere le risposte del servizio guida. Controllarne l’indirizzo nelle impostazioni.
trouble-guide-certificate = La connessione al servizio guida non è sicura. Controllare la data del registratore e il certificato del servizio.
trouble-guide-set-aside = La lettura di una risposta del servizio guida ha richiesto troppo tempo. Il registratore riprova da solo.
trouble-guide-signed-out = Il servizio guida richiede un nuovo accesso.
trouble-guide-forbidden = L’account non consente questa operazione. Rivolgersi a un utente con il ruolo di proprietario.
trouble-guide-not-found = Questa voce non esiste più nel servizio guida.
trouble-guide-refused = Il servizio guida ha rifiutato la modifica.
trouble-listing = Non è stato possibile caricare i palinsesti. Restano in uso quelli precedenti.
trouble-channel = Il registratore non sa dove ricevere questo canale. Assegnarlo nella pagina Tuner.
trouble-clock-wrong = L’orologio del registratore in quel momento non era corretto. Controllare data e ora del registratore.
trouble-no-tuner-capable = Nessun tuner riceve questo canale.
trouble-tuner-in-use = Il tuner è usato da un altro software.
trouble-no-signal = Il tuner non riceve alcun segnale. Controllare l’antenna e il cavo.
trouble-tuner-unreachable = Il tuner non risponde. Controllare che sia acceso e collegato.
trouble-tuner-forbidden = Il registratore non è autorizzato a usare il tuner. Concedere l’autorizzazione.
trouble-tuner-password = Il tuner rifiuta il nome utente o la password salvati.
trouble-tuner-scan = Il tuner non trova più questo canale. Ripetere la ricerca dei canali.
trouble-stalled = Il segnale si è interrotto. Controllare la ricezione.
trouble-ended = Il tuner ha smesso di inviare dati.
trouble-scrambled = Il canale è criptato e questo tuner non può decodificarlo.
trouble-excessive = Il tuner ha inviato i dati più velocemente di qualsiasi trasmissione. Controllare l’indirizzo del tuner.
trouble-capture-died = La registrazione si è interrotta in modo imprevisto. Il registratore la riavvia.
trouble-capture-not-started = Non è stato possibile avviare la registrazione.
trouble-disk-full = Il disco delle registrazioni è pieno. Eliminare alcune registrazioni per liberare spazio.
trouble-disk-low = Il disco delle registrazioni è quasi pieno. Eliminare alcune registrazioni per liberare spazio.
trouble-write-failed = Il registratore non riesce a scrivere sul disco delle registrazioni. Controllare il disco.
trouble-disk-missing = Il disco delle registrazioni non è disponibile. Collegarlo: le registrazioni riprenderanno da sole.
trouble-disk-slow = Il disco delle registrazioni non risponde in tempo. Controllare il disco o il file server.
trouble-node-away = Un altro registratore del gruppo ha una parte di questa registrazione ed è spento. Accendere quel dispositivo.
trouble-file-unreadable = Il file non è leggibile.
trouble-file-foreign = Un altro software ha modificato o sostituito il file.
trouble-recording-unknown = Questa registrazione non esiste più.
trouble-recording-protected = La registrazione è protetta. Rimuovere prima la protezione.
trouble-index = In questa registrazione non è ancora possibile spostarsi avanti o indietro. Riprodurla dall’inizio.
trouble-conversion-busy = Il registratore ha raggiunto il limite di conversioni. Riprovare quando un’altra persona avrà finito di guardare.
trouble-conversion-off = Questo dispositivo può riprodurre la registrazione solo convertita, ma le conversioni sono disattivate.
trouble-conversion-failed = La conversione non è riuscita. La registrazione originale è intatta.
trouble-data-folder = Il registratore non riesce a salvare i propri dati. Le registrazioni in corso continuano; controllare il disco dei dati.
trouble-set-up = Il registratore non è configurato correttamente. Il log indica che cosa correggere.
trouble-notify = Non è stato possibile inviare la notifica. Controllare le impostazioni delle notifiche.
trouble-planning = Non è stato possibile aggiornare il piano. Le registrazioni seguono quello precedente.
trouble-not-ready = Il registratore è in avvio o occupato. Riprovare tra poco.
trouble-site = Il sito dei contenuti non ha dato una risposta utilizzabile. Riprovare più tardi.
trouble-site-sign-in = Il sito dei contenuti richiede l’accesso.


## States and verdicts

# Chips: one or two words.
state-planned = programmata
# Only a part will be recorded.
state-partly = in parte
state-conflicted = conflitto
state-tuning = in avvio
state-waiting = nuovo tentativo
state-recording = in corso
state-closing = in chiusura
state-completed = completata
state-partial = parziale
state-failed = non riuscita
state-missed = mancata
state-cancelled = annullata
verdict-perfect = perfetta
verdict-good = buona
verdict-damaged = danneggiata
verdict-unusable = inutilizzabile
file-missing = file mancante
file-changed = file modificato
file-unreadable = file illeggibile
file-truncated = file troncato: { $size } di { $whole }
file-intact = file integro
file-unproven = non verificato

# Sentences about one recording.
result-planned = Registrazione prevista: { $when }.
result-partly = Verrà registrata solo una parte: { $when }.
result-conflicted = Il programma non verrà registrato.
result-tuning = La registrazione è in avvio.
result-waiting = Il registratore continua a provare fino alle { $stop }.
result-recording = Registrazione in corso, fino alle { $stop }.
result-closing = La registrazione è terminata e il file viene completato.
result-completed = La registrazione è completa.
result-perfect = Registrazione completa e senza difetti.
result-good = Registrazione completa.
result-damaged = Registrazione con difetti. Parte presente del programma: { $share }.
result-unusable = Registrazione inutilizzabile. Parte presente del programma: solo { $share }.
# Without figures.
result-damaged-plain = Registrazione con difetti.
result-unusable-plain = Registrazione inutilizzabile.
result-partial = Registrata solo una parte del programma: { $share }.
result-unverified = Registrazione effettuata; non si sa quanto del programma sia presente.
result-failed = Non è stato registrato nulla.
result-missed = Il programma non è stato registrato: l’orario previsto è passato.
result-cancelled = La registrazione è stata annullata.
result-clock = L’orologio del registratore non è attendibile. L’esito verrà stabilito quando l’ora sarà corretta.
result-doubt = Il tuner { $tuner } ha problemi (inizio: { $at }). La registrazione verrà tentata comunque.
result-doubt-plain = Il tuner previsto ha problemi. La registrazione verrà tentata comunque.
# $lost: a length, such as 7 min.
result-late = L’inizio del programma ({ $lost }) non viene registrato: nessun tuner è libero prima delle { $from }.
result-less-before = Il margine iniziale è ridotto di { $lost }: il tuner serve a un’altra registrazione.
result-less-after = Il margine finale è ridotto di { $lost }: il tuner serve a un’altra registrazione.
result-seam = La registrazione può iniziare con un ritardo fino a { $lost }: il tuner passa da un’altra registrazione a questa.
result-no-errors = Nessun errore di ricezione.
result-errors = { $count ->
    [one] 1 errore di ricezione.
    [many] { $count } di errori di ricezione.
   *[other] { $count } errori di ricezione.
}
# $spans: times of day with seconds.
result-missing = Parti mancanti: { $spans }
result-storage-missing = Disco non disponibile (inizio: { $at }). Il file verrà completato quando il disco tornerà disponibile.
result-storage-slow = Il disco non risponde (inizio: { $at }), perciò il file non è ancora completo.
result-node-away = Un altro registratore ha una parte di questa registrazione ed è spento (inizio: { $at }), perciò il file non è ancora completo.
result-storage-failed = Non è possibile completare il file (inizio: { $at }). Il registratore continua a provare.
repeat-booking = Prenotazione della replica in corso: { $at } su { $channel }.
repeat-again = Non è stato ancora possibile prenotare la replica; il registratore riprova.
repeat-booked = La replica è prenotata: { $at } su { $channel }.
repeat-needless = La registrazione è completa: la replica non serve.
repeat-healed = La replica è stata registrata per intero.
repeat-moved = Al suo posto viene registrata la replica: { $at } su { $channel }.
repeat-given-up = La replica non ha sostituito questa registrazione.
repeat-not-booked = Nessuna replica è stata prenotata.


## Details of a recording

detail-episode = Stagione { $season }, episodio { $episode }
# What is behind it: padding, tuner, file, reception.
detail-more = Altri dettagli
detail-channel = Canale
detail-event = Messa in onda
detail-window = Con i margini
detail-priority = Priorità
detail-tuner = Tuner
detail-reported = Stato comunicato
detail-not-reported = non ancora comunicato
reported-waiting = in attesa
reported-pending = in attesa
reported-running = in corso
reported-completed = completata
reported-failed = non riuscita
detail-repeat = Replica
detail-attempts = Tentativi
detail-on-disk = Su disco
# $size: 1.5 GB
detail-size = { $parts ->
    [one] { $size }
    [many] { $size } in { $parts } di parti
   *[other] { $size } in { $parts } parti
}
detail-of-event = Del programma
# $share: 99.5 %. $length: 1 h 30 min
detail-share = { $share } ({ $length })
detail-lost-packets = Pacchetti persi
detail-damaged-packets = Pacchetti danneggiati
detail-encrypted-packets = Pacchetti criptati
detail-file = File
detail-wrong = Problema
detail-compared = Verifica
detail-compared-at = { $verdict }, { $at }
detail-deleted-person = Eliminata su richiesta.
detail-deleted-retention = Eliminata per liberare spazio.
detail-deleted-repeat = Eliminata: è stata sostituita da una replica completa.
detail-delete = Elimina
detail-delete-ask = Eliminare la registrazione? L’operazione è irreversibile.
detail-delete-verb = Elimina per sempre
detail-delete-done = Registrazione eliminata.
detail-protect = Proteggi
detail-protect-done = Registrazione protetta: non verrà eliminata per liberare spazio.
detail-unprotect = Rimuovi protezione
detail-unprotect-done = Protezione rimossa.
detail-watched = Segna come vista
detail-watched-done = Segnata come vista.
detail-unwatched = Segna come non vista
detail-unwatched-done = Segnata come non vista.
detail-verify = Verifica file
detail-verify-done = Verifica del file in corso.
detail-change = Modifica timer
detail-before = Minuti prima
detail-after = Minuti dopo
detail-padding = Modifica margini
detail-padding-done = Margini modificati nel servizio guida.
detail-priority-change = Modifica priorità
detail-priority-done = Il piano è in aggiornamento.
detail-cancel = Annulla timer
detail-cancel-ask = Annullare il timer nel servizio guida? La parte già registrata resta.
detail-cancel-verb = Annulla timer
detail-cancel-done = Timer annullato.

## Recordings of another recorder

imported-by = Registrato da { $recorder }, a cui appartiene il file.
imported-out = Togli dall’elenco
imported-out-ask = Togliere la registrazione da questo elenco? Il file resta su { $recorder }.
imported-out-verb = Togli
imported-out-done = Tolta dall’elenco.


## What happened: the history of a timer

# Each of these is one line of a history, with its time before it.
happened-title = Che cosa è successo
happened-lines = { $count ->
    [one] 1 voce
    [many] { $count } di voci
   *[other] { $count } voci
}
# The same line several times in a row.
happened-times = { $text } ({ $count } volte)
# $zone: the name of a time zone, such as Europe/Berlin.
happened-technical = Per tecnici, in inglese. Gli orari sono del fuso { $zone }.
happened-technical-plain = Per tecnici, in inglese. Gli orari nelle frasi sono del fuso del registratore.
# Stands for a value that an earlier version did not keep.
happened-unknown = sconosciuto
# $since: a day and a time.
happened-started = Il registratore si è avviato. Ultimo spegnimento: { $since }
happened-clock-forward = L’orologio del registratore è stato portato avanti di { $by }.
happened-clock-back = L’orologio del registratore è stato portato indietro di { $by }.
happened-clock-not-trusted = Da questo momento l’orologio del registratore non è stato più considerato attendibile. Nessuna registrazione è stata terminata per questo motivo.
happened-clock-trusted = L’orologio del registratore è tornato attendibile.
happened-asleep = Il registratore era in sospensione: { $when }.
happened-off = Il registratore era spento: { $when }.
happened-ordered = Prenotazione: { $name } su { $channel }, { $when }.
happened-order-changed = Il programma è stato spostato: { $when }.
happened-priority = Nuova priorità: { $priority }.
happened-padding = Nuovi margini: { $before } min prima e { $after } min dopo.
happened-override-removed = La priorità e i margini propri del registratore sono stati rimossi.
happened-repeat-ordered = Prenotazione della replica: { $at } su { $channel }.
happened-repeat-booked = La replica è prenotata.
happened-repeat-delayed = Non è stato ancora possibile prenotare la replica. Il registratore riprova.
happened-repeat-cancelling = Il timer viene annullato: lo sostituisce la replica.
happened-repeat-dropping = La registrazione è completa, quindi la replica viene annullata.
happened-repeat-moved = Al suo posto viene registrata la replica.
happened-repeat-healed = La replica è stata registrata per intero.
happened-repeat-needless = La replica non serve più.
happened-repeat-given-up = La replica non ha sostituito questa registrazione.
happened-absent = Il servizio guida non elenca più il timer, che quindi risulta annullato.
happened-not-understood = Non è stato possibile leggere la voce del servizio guida.
happened-placed = Programmata sul tuner { $tuner }.
happened-tuner-changed = Spostata sul tuner { $tuner }.
happened-displaced = Ha perso il posto nel piano.
happened-trimmed = Programmata con margini ridotti o solo in parte.
happened-conflict = Non c’era posto nel piano.
happened-held-back = L’ora di inizio era arrivata, ma la registrazione non poteva ancora partire.
happened-flowing = La registrazione è iniziata sul tuner { $tuner }.
happened-doubted = La registrazione sembrava non riuscire: ne è iniziata una seconda sul tuner { $tuner }.
happened-drained = Il computer che registrava passa in manutenzione: è iniziata una seconda registrazione sul tuner { $tuner }.
happened-relieved = La registrazione continua sul tuner { $tuner }.
happened-followed = La registrazione segue la trasmissione, fino alle { $stop }.
happened-lease-taken = Il tuner { $tuner } era usato per altro ed è stato liberato per questa registrazione.
happened-tuner-quarantined = Il tuner { $tuner } ha smesso di funzionare.
happened-tuner-back = Il tuner { $tuner } funziona di nuovo.
happened-adopted = Il registratore si è riavviato e la registrazione è continuata senza interruzioni.
happened-attempt-failed = Un tentativo di registrazione non è riuscito.
happened-withdrawn = Il timer è stato annullato.
happened-missed = L’orario previsto è passato senza registrazione.
happened-over = Ora di fine raggiunta: il file viene completato.
happened-closing-failed = Non è stato possibile completare il file. Il registratore continua a provare.
happened-evidence = Su disco: { $covered } di { $length }.
happened-plain-name = Il disco non ha accettato il nome completo del file: ne è stato usato uno semplice.
happened-gap = Non è stato registrato nulla: { $span }.
happened-gap-picture = Manca il video: { $span }.
happened-gap-sound = Manca l’audio: { $span }.
happened-whole = La registrazione è stata completata.
happened-shortened = È stata registrata solo una parte.
happened-empty = Non è stato registrato nulla.
happened-discarded = Il timer è stato annullato. La parte già registrata resta.
happened-deleted-person = Eliminata su richiesta.
happened-deleted-retention = Eliminata per liberare spazio.
happened-deleted-repeat = Eliminata: è stata sostituita da una replica completa.
happened-file-gone = Un altro software ha rimosso il file.
happened-file-back = Il file è di nuovo presente.
happened-file-damaged = Il file è stato danneggiato dopo la registrazione.
happened-file-sound = Il file è di nuovo integro.
happened-report-refused = Il servizio guida ha rifiutato lo stato comunicato.
happened-ordered-rule = Prenotazione di una regola: { $name } su { $channel }, { $when }.
happened-rule-changed = La regola all’origine della prenotazione è stata modificata.


## Recordings

recordings-search = Cerca nelle registrazioni
# A filter: recordings that somebody has begun to watch.
recordings-unfinished = Da finire
recordings-count = { $count ->
    [one] 1 registrazione
    [many] { $count } di registrazioni
   *[other] { $count } registrazioni
}, { $size }
recordings-empty = Nessuna registrazione
recordings-empty-next = Cercare un programma nella <link>guida</link> e registrarlo. Al termine apparirà qui.
recordings-none-match = Nessuna registrazione corrisponde.
recordings-none-match-next = Provare con altre parole o mostrare tutte le registrazioni.
recordings-show-all = Mostra tutte
# $share is a percentage.
recordings-seen = { $share } visto
recordings-protected = protetta
recordings-watched = vista

# The picture of a recording's bit rate, with what is missing in it.
integrity-picture = Bit rate nel tempo
integrity-rate = In media { $average }, al massimo { $most }.
integrity-whole = Non manca nulla.
# $gaps is a list: 2 s at 20:15:03 and 1 min of picture at 20:40:00.
integrity-missing = Parti mancanti: { $gaps }.
integrity-gap = { $lacks ->
    [picture] { $length } di video alle { $at }
    [sound] { $length } di audio alle { $at }
   *[all] { $length } alle { $at }
}
# The time stamps of the broadcast do not go on.
integrity-clock = { $count ->
    [one] L’orologio della trasmissione fa un salto.
    [many] L’orologio della trasmissione fa { $count } di salti.
   *[other] L’orologio della trasmissione fa { $count } salti.
}
integrity-damaged = { $count ->
    [one] 1 pacchetto è danneggiato.
    [many] { $count } di pacchetti sono danneggiati.
   *[other] { $count } pacchetti sono danneggiati.
}
integrity-junk = Dati illeggibili: { $size }.


## Timers

timers-search = Cerca nei timer
timers-which = Timer da mostrare
timers-filter-upcoming = Prossimi
timers-filter-running = In corso
timers-filter-trouble = Con problemi
timers-filter-ended = Terminati
timers-filter-all = Tutti
timers-count = { $count ->
    [one] 1 timer
    [many] { $count } di timer
   *[other] { $count } timer
}
timers-empty = Nessun timer
timers-empty-next = Cercare un programma nella <link>guida</link> e registrarlo, oppure <rules>registrare un’intera serie</rules>.
timers-none-match = Nessun timer corrisponde.
timers-none-match-next = Scegliere altri timer o altre parole.
timers-show-all = Mostra tutti


## Timeline

timeline-view = Vista della linea temporale
timeline-now = Adesso
timeline-zoom-out = Riduci
timeline-zoom-in = Ingrandisci
timeline-range = I tuner nel tempo: dall’ultimo giorno alle prossime due settimane
timeline-recordings = Registrazioni per tuner
timeline-tuner = Tuner { $id }
timeline-no-tuner = Nessun tuner
# Several recordings share a tuner: it receives all of their channels at once.
timeline-shared = { $count ->
    [one] 1 registrazione su questo tuner
    [many] { $count } di registrazioni condividono questo tuner
   *[other] { $count } registrazioni condividono questo tuner
}
# What a screen reader says of a recording, and what the mouse shows.
timeline-bar = { $name }, { $channel }, { $when }, { $state }
timeline-legend = Significato dei colori
timeline-legend-planned = Programmata
timeline-legend-busy = In corso
timeline-legend-good = Completa
timeline-legend-warn = Conflitto o danneggiata
timeline-legend-bad = Non riuscita o mancata
timeline-legend-padding = Margini
timeline-legend-shared = Un tuner per più registrazioni
timeline-empty = Nessuna registrazione programmata.
timeline-empty-next = Cercare un programma nella <link>guida</link> e registrarlo. Apparirà qui accanto al suo tuner.


## Tuners

tuners-title = Tuner e disco
tuners-empty = Nessun tuner configurato.
tuners-empty-next = Senza tuner non è possibile registrare. Il comando «recorderd tuners discover» trova quelli presenti nella rete.
tuners-state-free = libero
tuners-state-tuning = sintonizzazione
tuners-state-receiving = in ricezione
# Somebody watches television with it, or it looks for guide data.
tuners-state-lent = in uso
tuners-quarantined = fuori servizio
tuners-drained = in manutenzione
nodes-title = Computer
nodes-state-leader = principale
nodes-state-standby = pronto
nodes-state-away = non raggiungibile
tuners-kind = Tipo
tuners-multiplex = Multiplex
tuners-held = In uso fino a
tuners-signal = Segnale
tuners-signal-locked = agganciato
tuners-signal-none = assente
tuners-strength = Intensità del segnale
tuners-dbm = { NUMBER($value, maximumFractionDigits: 1) } dBm
# Signal-to-noise ratio.
tuners-snr = Segnale/rumore
tuners-db = { NUMBER($value, maximumFractionDigits: 1) } dB
tuners-quality = Qualità del segnale
tuners-blocks = Blocchi persi
tuners-trouble = Ultimo problema
tuners-trouble-at = { $at }: { $what }
tuners-out-since = Fuori servizio da
tuners-next-try = Prossimo tentativo
tuners-received = Ricezione finora
tuners-failed = Falliti
tuners-lock = Tempo di aggancio
tuners-errors = Errori
tuners-failed-of = { $failures } su { $tries }
# Damaged packets in a million.
tuners-per-million = { $count } per milione
tuners-disk = Disco delle registrazioni
tuners-space-room = { $hours ->
    [0] Spazio per meno di un’ora
    [one] Spazio per circa 1 ora
    [many] Spazio per circa { $hours } di ore
   *[other] Spazio per circa { $hours } ore
}
tuners-space-short = Insufficiente per le registrazioni programmate
tuners-space-low = Quasi pieno
tuners-space-full = Pieno: nessuna registrazione possibile
tuners-space-offline = Non collegato
tuners-space-left = Spazio rimasto
tuners-space-hours = { $hours ->
    [0] meno di un’ora di TV
    [one] circa 1 ora di TV
    [many] circa { $hours } di ore di TV
   *[other] circa { $hours } ore di TV
}
tuners-free = Libero
tuners-free-of = { $free } di { $total }
tuners-planned = Riservato
tuners-full = Disco pieno
# Unless recordings are deleted.
tuners-full-never = non previsto
tuners-full-plan = { $at }, prima della fine delle registrazioni programmate
tuners-full-pace = { $day }, continuando a questo ritmo
tuners-recorder = Registratore
tuners-version = Versione
tuners-since = In funzione da
tuners-timers = Timer aggiornati
tuners-timers-never = non ancora
tuners-reports = Stati da inviare
tuners-clock = Orologio
tuners-clock-right = corretto
tuners-clock-unsure = forse errato
# The machine must not sleep then.
tuners-awake = Riattivazione entro
tuners-data = Cartella dati


## Log

# What the recorder did, for those who look after it. Its lines are English.
log-about = Che cosa fa il registratore, in inglese, per chi se ne occupa.
log-level = Righe da mostrare
log-level-info = Tutte
log-level-warn = Avvisi
log-level-error = Errori
log-line-info = info
log-line-warn = avviso
log-line-error = errore
log-count = { $count ->
    [one] 1 riga
    [many] { $count } di righe
   *[other] { $count } righe
}
log-lines = Righe del log, a partire dalla più recente
log-empty = Nessuna riga
log-empty-level = Nessuna riga di questo tipo dall’avvio del registratore. È una buona notizia.
log-empty-all = Il registratore non ha scritto nulla dall’avvio.
log-show-all = Mostra tutte le righe


## Player

player-title = Lettore
player-video = Video
player-recording = Registrazione
player-live-television = TV in diretta
player-play = Riproduci
player-pause = Pausa
player-stop = Interrompi la riproduzione
# $position is a time such as 42:10.
player-resume = Riprendi da { $position }
player-from-beginning = Dall’inizio
player-next-episode = Episodio successivo: { $name }
player-other = Apri in VLC o mpv
player-download = Scarica
player-back = { $seconds ->
    [one] Indietro di 1 secondo
    [many] Indietro di { $seconds } di secondi
   *[other] Indietro di { $seconds } secondi
}
player-forward = { $seconds ->
    [one] Avanti di 1 secondo
    [many] Avanti di { $seconds } di secondi
   *[other] Avanti di { $seconds } secondi
}
# A button: to the newest picture of live television.
player-to-live = Diretta
player-position = Posizione
# Both values are spoken times: 1 minute 5 seconds of 30 minutes.
player-position-of = { $position } di { $length }
# $length is a spoken time.
player-missing = Parte mancante: { $length }
player-sound-on = Attiva audio
player-sound-off = Disattiva audio
player-volume = Volume
player-floating = Picture in picture
player-full = Schermo intero
player-full-leave = Esci dallo schermo intero
player-speed = Velocità
player-rate = { NUMBER($rate, maximumFractionDigits: 2) } ×
player-tuning = Sintonizzazione…
player-cannot = Questo browser non può riprodurre il video, per esempio perché è in MPEG-2. Usare un lettore come VLC.
player-no-index = Il registratore deve ancora preparare questa registrazione per la riproduzione e lo farà appena sarà libero. Riprovare più tardi o scaricare il file.

# The choice between sound tracks.
player-sound = Audio
player-sound-number = Audio { $number }
player-sound-description = { $name } (audiodescrizione)
player-sound-codec = { $name } ({ $codec })
player-subtitles = Sottotitoli
player-subtitles-off = Senza sottotitoli
player-subtitles-hard-of-hearing = { $name } (per non udenti)
# Another track with the same name.
player-track-again = { $name } ({ $number })

player-keys = Scorciatoie da tastiera
player-key-space = Spazio, k
player-key-toggle = riproduci o metti in pausa
player-key-skip = { $seconds ->
    [one] indietro o avanti di 1 secondo
    [many] indietro o avanti di { $seconds } di secondi
   *[other] indietro o avanti di { $seconds } secondi
}
player-key-jump = indietro di { $back } secondi, avanti di { $forward } secondi
player-key-volume = volume
player-key-mute = disattiva o attiva l’audio
player-key-full = schermo intero
player-key-sound = traccia audio successiva
player-key-subtitles = disattiva o attiva i sottotitoli
player-key-speed = più lento o più veloce
player-key-digits = da 0 a 9
player-key-part = vai all’inizio, al 10%, … al 90%
player-key-help = mostra o nascondi queste scorciatoie
player-key-escape = Esc
player-key-close = chiudi


## Programme

programme-search = Cerca in titoli e descrizioni
programme-search-titles = Cerca nei titoli
programme-day = Giorno
programme-day-before = Giorno precedente
programme-day-after = Giorno successivo
programme-shows = { $count ->
    [one] 1 programma
    [many] { $count } di programmi
   *[other] { $count } programmi
}
programme-results = Risultati della ricerca
programme-grid = Programmi per canale e ora
# The tooltip of a show in the grid: News, Today 20:00–20:15
programme-show-at = { $title }, { $when }
# Several shows of a few minutes share one place in the grid: News, Weather
programme-short-shows = { $count ->
    [one] 1 programma breve: { $titles }
    [many] { $count } di programmi brevi: { $titles }
   *[other] { $count } programmi brevi: { $titles }
}
programme-short-title = Programmi brevi
# A channel that the guide no longer lists, by its number.
programme-channel-unknown = Canale { $id }
# Two looks: a list of what is on now and next, and a grid of channels and times
programme-look = Vista della guida
programme-look-now = Ora e a seguire
programme-look-grid = Griglia
programme-nothing-now = Nessun dato
programme-empty = La guida non contiene canali.
programme-empty-next = I canali appariranno qui non appena il servizio guida avrà i dati della regione.
# A button: it shows this time in the grid
programme-prime-time = Prima serata
programme-genre = Genere
genre-movie = Film e serie
genre-news = Notizie
genre-show = Intrattenimento
genre-sports = Sport
genre-children = Bambini
genre-music = Musica
genre-arts = Arte e cultura
genre-society = Società e politica
genre-education = Istruzione e scienza
genre-leisure = Tempo libero


## Show

show-channel = Canale
show-time = Orario
show-episode = Episodio
show-categories = Categorie
show-record = Registra
show-record-it = Registra { $title }
# Notice after a click on Record.
show-booked = Registrazione prenotata.
# $names: one or more channels.
show-unreceived = Registrazione prenotata, ma nessun tuner riceve { $names }: da lì non si può registrare nulla. Assegnare un servizio nella pagina Tuner.
show-cancel = Annulla registrazione
show-cancelled = Registrazione annullata.
show-series = Registra tutta la serie
show-series-of = Registra tutta la serie: { $title }
show-series-booked = Ogni episodio verrà registrato una volta sola. Vedere la pagina Regole.
show-favourite = Aggiungi ai preferiti
show-favourite-added = Aggiunto ai preferiti. Vedere la pagina Regole.
# Searches for all broadcasts with this title.
show-alike = Tutte le messe in onda
# $state: what the guide server knows of the timer, from its recorder or box.
show-booked-on = { $state ->
    [running] Prenotato su { $device }. La registrazione è in corso.
    [completed] Registrato su { $device }.
    [failed] Prenotato su { $device }. La registrazione non è riuscita.
    [missing] Prenotato su { $device }, che però non ha più il timer.
   *[other] Prenotato su { $device }.
}
show-cancel-on = Annulla su { $device }


## Series and keywords

series-recorded-hint = Ogni episodio viene registrato una volta sola.
series-keywords-hint = Viene registrato ogni programma con tutte queste parole nel titolo, ogni episodio una volta sola.
series-remove-favourite = Rimuovi { $title }
series-favourite-removed = Preferito rimosso.
series-any-channel = Tutti i canali
# Channel and time of day: BBC One, about 20:15
series-channel-about = { $channel }, verso le { $time }
series-quality = Qualità
series-prefer-hd = HD se possibile
series-hd-only = Solo HD
series-prefer-sd = SD se possibile
series-sd-only = Solo SD
series-save = Salva
series-saved = Modifiche salvate.
series-stop = Non registrare più
series-stop-question = Non registrare più { $name }? I relativi timer vengono annullati. Le registrazioni già fatte restano.
series-stopped = { $name }: registrazione disattivata.


## Rules

rules-new = Nuova regola
rules-empty = Nessuna regola
rules-empty-next = Creare una regola, oppure scegliere un programma nella <link>guida</link> e registrarne tutta la serie.
# What kind of entry a row of the list is.
rules-kind-series = Serie
rules-kind-keyword = Parola chiave
rules-kind-favourite = Preferito
rules-paused = In pausa
# The next recording: Next: Today 20:15 on BBC One
rules-next = Prossima: { $at } su { $channel }
rules-next-none = Nessuna registrazione prevista
rules-change = Modifica
rules-favourite-line = Solo contrassegnato: non viene registrato nulla.
# A rule in one line: New episodes on BBC One, weekdays after 18:00, keep the newest 5
rules-line-and = { $first }, { $more }
rules-line-what = { $what ->
    [new] Nuovi episodi
    [first] Prima messa in onda di ogni episodio
    [new-first] Prima messa in onda di ogni nuovo episodio
   *[all] Tutti i programmi
}
rules-line-what-on = { $what ->
    [new] Nuovi episodi su { $channels }
    [first] Prima messa in onda di ogni episodio su { $channels }
    [new-first] Prima messa in onda di ogni nuovo episodio su { $channels }
   *[all] Tutti i programmi su { $channels }
}
# The end of a list of channels: BBC One, BBC Two and 3 others
rules-line-others = { $count ->
    [one] 1 altro
   *[other] altri { $count }
}
rules-line-words = { $place ->
    [all] «{ $words }» nel titolo o nella descrizione
   *[title] «{ $words }» nel titolo
}
rules-line-expression = { $place ->
    [all] titolo o descrizione conforme a { $expression }
   *[title] titolo conforme a { $expression }
}
rules-line-series = una serie della guida
rules-line-genres = genere: { $genres }
rules-line-without = senza «{ $words }»
rules-line-weekdays = dal lunedì al venerdì
rules-line-weekend = nel fine settimana
rules-line-after = dalle { $from }
rules-line-before = prima delle { $until }
rules-line-between = tra le { $from } e le { $until }
# weekdays after 18:00
rules-line-days-and-time = { $days } { $time }
# The length of a show
rules-line-least = almeno { $least }
rules-line-most = al massimo { $most }
rules-line-length = da { $least } a { $most }
rules-line-keep = { $count ->
    [one] conserva la più recente
   *[other] conserva le { $count } più recenti
}
rules-field-words = Parole nel titolo
rules-field-words-all = Parole nel titolo o nella descrizione
rules-field-words-hint = Tutte, in qualsiasi ordine; le virgolette tengono unite le parole
rules-field-expression = Espressione regolare
rules-field-expression-hint = Un modello per più titoli: ^(Notizie|Meteo)
rules-field-channels = Canali
rules-channels-find = Cerca un canale
rules-field-new = Solo nuovi episodi
rules-more = Altre condizioni
rules-group-show = Il programma
rules-group-time = L’orario
rules-group-recording = La registrazione
rules-field-name = Nome della regola
rules-field-all-text = Cerca anche in sottotitolo e descrizione
rules-field-without = Parole escluse
rules-field-without-hint = Nessuna può essere nel titolo o nella descrizione; le virgolette tengono unite le parole
rules-field-genres = Generi
rules-field-categories = Altre categorie della guida
rules-field-categories-hint = Separate da virgole
rules-field-days = Giorni
rules-field-from = Inizia dalle
rules-field-until = Inizia prima delle
rules-field-min = Durata minima (minuti)
rules-field-max = Durata massima (minuti)
rules-field-first = Solo la prima messa in onda di ogni episodio
rules-field-keep = Registrazioni da conservare
rules-field-keep-hint = Una nuova sostituisce la più vecchia
rules-field-priority = Priorità (da 0 a 100)
rules-field-folder = Cartella
rules-field-folder-hint = Nella cartella delle registrazioni: Film/Domenica
rules-field-paused = In pausa: per ora non registra nulla
rules-preview = Anteprima
rules-preview-start = Indicare parole, un’espressione o un genere per vedere che cosa verrebbe registrato.
rules-preview-looking = Ricerca dei programmi…
rules-preview-none = Nessun programma delle prossime due settimane corrisponde.
rules-preview-records = { $total ->
    [one] Registra { $records } di 1 programma nelle prossime due settimane.
   *[other] Registra { $records } di { $total } programmi nelle prossime due settimane.
}
rules-preview-paused = { $total ->
    [one] In pausa: registrerebbe { $records } di 1 programma nelle prossime due settimane.
   *[other] In pausa: registrerebbe { $records } di { $total } programmi nelle prossime due settimane.
}
rules-preview-many = I programmi corrispondenti sono così tanti che si contano solo quelli prima di { $at }: registra { $records } di { $total }.
rules-preview-unidentified = { $count ->
    [one] La guida non identifica l’episodio di uno di essi: una replica verrebbe registrata di nuovo.
   *[other] La guida non identifica l’episodio di { $count } di essi: le repliche verrebbero registrate di nuovo.
}
rules-preview-displaced = Altre registrazioni perderebbero una parte:
# News, Today 20:00–20:15: 5 min missing
rules-preview-loses = { $title }, { $when }: mancano { $lost }
rules-preview-loses-all = { $title }, { $when }: non viene registrato
rules-preview-unplaced = Nessun tuner è libero per:
# A show with its time: News, Today 20:00
rules-preview-at = { $title }, { $at }
rules-preview-space = Servono circa { $needs } sul disco; { $free } sono liberi.
rules-preview-no-space = Servono circa { $needs } sul disco, ma solo { $free } sono liberi.
rules-preview-first = Sono elencati solo i primi { $count }.
rules-preview-list = Programmi corrispondenti
rules-saved-exceeds = La regola è salvata, ma non si può registrare tutto.
# Chips: what becomes of a show that fits a rule.
rules-fate-records = Da registrare
rules-fate-noTuner = Nessun tuner
rules-fate-ordered = Già prenotato
rules-fate-otherAiring = Altra messa in onda
rules-fate-recorded = Già registrato
rules-fate-declined = Annullato
rules-fate-repeat = Replica
rules-fate-later = Messa in onda successiva
rules-fate-noRoom = Limite raggiunto
rules-reason-noTuner = A quest’ora tutti i tuner sono occupati.
rules-reason-unidentified = La guida non dice di quale episodio si tratta.
rules-reason-ordered = È già prenotato, a mano o da un’altra regola.
rules-reason-otherAiring = Viene registrata un’altra messa in onda di questo episodio.
rules-reason-recorded = Questo episodio è già stato registrato.
rules-reason-declined = La registrazione di questo episodio è stata annullata.
rules-reason-repeat = È una replica, e la regola ammette solo nuovi episodi.
rules-reason-later = La regola ammette solo la prima messa in onda.
rules-reason-noRoom = L’account ha raggiunto un limite.
# A button at a show: opens the dialog of a rule with the show’s title and channel.
rules-from-show = Registra simili…
# A button beside the results of a search.
rules-from-search = Crea una regola…
# What is wrong with a field of the dialog.
rules-mistake-name = Il nome manca o è troppo lungo.
rules-mistake-words = Queste parole sono troppo lunghe o non contengono né lettere né cifre.
rules-mistake-expression = Questa espressione non è utilizzabile: controllare le parentesi. Forse è troppo lunga, o usa una funzione non supportata, come (?=…).
rules-mistake-number = Questo numero è troppo piccolo, troppo grande o non è un numero intero.
rules-mistake-folder = Scrivere nomi separati da /, senza caratteri speciali: Film/Domenica


## Channels and listings

channels-search = Cerca nei canali
channels-count = { $count ->
    [one] 1 canale.
    [many] { $count } di canali.
   *[other] { $count } canali.
} Nel palinsesto ma non nella guida: { $unmatched }. Senza palinsesto: { $bare }.
channels-unmatched = Nel palinsesto ma non nella guida
channels-unmatched-list = Canali dei palinsesti non abbinati
channels-in-guide = Nella guida
channels-in-guide-list = Canali della guida
channels-no-programmes = Nessun programma
channels-until = Programmi fino a: { $at }
# The channel number on the remote control; several are separated by commas.
channels-number = Numero { $number }
# The triplet names a service of a DVB network: three numbers.
channels-no-triplet = Senza tripletta
channels-no-listing = Senza palinsesto
channels-listed-as = Nel palinsesto
channels-is = Canale
channels-matched = Abbinamento
channels-note = Nota
channels-set = Impostato a mano
channels-pending = I palinsesti vengono riletti con questa impostazione. Ricontrollare tra poco.
channels-target = Canale della guida
# ONID/TSID/SID is a triplet; lcn, name and ignore are typed as they stand here.
channels-target-text = Oppure ONID/TSID/SID, lcn N, name NOME o ignore
channels-use = Usa questo canale
channels-used = Impostazione salvata. I palinsesti vengono riletti.
channels-automatic = Abbina automaticamente
channels-automatic-done = Il canale viene di nuovo abbinato automaticamente.
channels-owners-only = Solo i proprietari del primo account di questo server possono abbinare i canali dei palinsesti.
# How a channel of a listing was matched with one of the guide.
channels-by-table = a mano
channels-by-before = come prima
channels-by-triplet = per tripletta
channels-by-name = per nome
channels-by-short-name = per nome breve
channels-by-known-name = per nome noto
channels-by-lcn = per numero di canale
channels-by-new = aggiunto come canale
channels-by-ignored = escluso
channels-by-taken = canale della guida già abbinato a un altro
listings-title = Palinsesti
listings-one = Palinsesto { $name }
listings-unread = Non è stato ancora letto.
listings-read = { $programmes ->
    [one] 1 programma
    [many] { $programmes } di programmi
   *[other] { $programmes } programmi
}, lettura: { $at }; { $flaws ->
    [0] nessun errore
    [one] 1 errore
    [many] { $flaws } di errori
   *[other] { $flaws } errori
}.
# $reason is technical and in English.
listings-unreadable = Non è leggibile (inizio: { $at }), quindi resta in uso il contenuto precedente: { $reason }
listings-pending = Rilettura in corso. Ricontrollare tra poco.
listings-flaw = { $kind ->
    [ampersand] Carattere & isolato
    [less-than] Carattere < isolato
    [entity] Entità sconosciuta
    [character] Carattere non ammesso
    [encoding] Codifica dei caratteri errata
    [tag] Tag errato
    [element] Elemento fuori posto
    [channel] Canale errato
    [time] Orario errato
    [zone] Orario senza fuso
    [stop] Fine mancante o errata
    [overlap] Programmi sovrapposti
    [duplicate] Programma ripetuto nell’elenco
    [title] Titolo mancante
    [number] Numero di episodio errato
   *[other] Errore
}, { $count ->
    [one] una volta
    [many] { $count } di volte
   *[other] { $count } volte
}{ $leftOut ->
    [0] .
   *[other] , omessi: { $leftOut }.
}
# $reason is technical and in English.
listings-line = Riga { $line }: { $reason }
listings-zone = Orari di { $name }
listings-zone-stated = Come indicati
listings-zone-set = Applica
listings-zone-done = { $name } viene riletto con questo fuso orario.
reception-none-yet = Il registratore non ha ancora scaricato i canali della guida.
reception-all = { $count ->
    [one] L’unico canale della guida viene ricevuto.
    [many] Tutti i canali della guida ({ $count }) vengono ricevuti.
   *[other] Tutti i canali della guida ({ $count }) vengono ricevuti.
}
reception-some = Canali della guida che nessun tuner riceve: { $missing } su { $count }.
reception-missing = Non ricevuti da nessun tuner
reception-missing-list = Canali non ricevuti da nessun tuner
# $services: triplets, each three numbers.
reception-why = { $name }: nessun tuner riceve { $services }.
reception-why-unknown = { $name }: nessun tuner offre un servizio con questo numero o nome.
reception-service = Servizio per { $name }
reception-assign = Assegna { $name }
reception-assigned = { $name } ora corrisponde a { $service }.
reception-watch-live = Guarda in diretta
reception-list = Canali ricevuti
# $channel: number and name.
reception-watch = Guarda { $channel }
reception-by-hand = Assegnati a mano
reception-is = { $name }: { $service }
reception-automatic = Abbina { $name } automaticamente
reception-automatic-done = { $name } viene di nuovo abbinato automaticamente.


## Devices

devices-none = Ancora nessuno. Decoder e registratori appaiono qui quando accedono con questo account.
devices-silent-after = { $days ->
    [one] Un dispositivo risulta inattivo dopo 1 giorno senza contatti.
    [many] Un dispositivo risulta inattivo dopo { $days } di giorni senza contatti.
   *[other] Un dispositivo risulta inattivo dopo { $days } giorni senza contatti.
}
devices-silent = inattivo
devices-model = Modello
devices-number = Numero
devices-identity = Identità
devices-last-contact = Ultimo contatto
devices-never = Mai collegato
devices-name = Nome
devices-rename = Rinomina
devices-renamed = Nome modificato.
devices-remove = Rimuovi
devices-remove-question = Rimuovere { $name }? Un decoder che accede di nuovo riappare qui.
devices-removed = Dispositivo rimosso.
devices-details = Ricezione e log
devices-not-scanned = Nessuna ricerca dei canali comunicata.
devices-scanned = { $count ->
    [one] 1 servizio ricevuto, ricerca: { $at }.
    [many] { $count } di servizi ricevuti, ricerca: { $at }.
   *[other] { $count } servizi ricevuti, ricerca: { $at }.
}
devices-receives-all = Tutti i canali della regione sono compresi.
devices-not-received = { $count ->
    [one] 1 canale della regione non è stato trovato: { $names }.
    [many] { $count } di canali della regione non sono stati trovati: { $names }.
   *[other] { $count } canali della regione non sono stati trovati: { $names }.
}
devices-no-log = Nessun log inviato.
devices-log = Ultime righe del log, a partire dalla più recente
# Chooses the device that records.
devices-recorded-by = Registra con


## Users

users-hint = Ogni persona ha un nome e una password. Anche decoder e registratori accedono come utenti: creare un membro per ciascuno.
users-add-title = Aggiungi utente
users-add = Aggiungi
users-name = Nome
users-rights = Permessi
users-may-owner = Proprietario: può fare tutto e gestire gli utenti
users-may-member = Membro: può consultare, prenotare e gestire i decoder
users-may-viewer = Spettatore: può solo consultare
# Marks of a user.
users-role-owner = proprietario
users-role-member = membro
users-role-viewer = spettatore
users-you = tu
users-since = Creato
users-sessions = Dispositivi collegati
users-timers = Timer
users-rules = Serie e parole chiave
users-give = Modifica permessi
users-given = { $name } ha ora questi permessi e deve accedere di nuovo.
users-remove = Rimuovi
users-remove-question = Rimuovere { $name }? L’utente e tutti i suoi decoder vengono scollegati subito. Timer e regole restano.
users-removed = Utente rimosso.
users-change-password = Cambia password…
users-new-password = Nuova password per { $name }
users-set-password = Imposta password
users-password-set = { $name } ha una nuova password e deve accedere di nuovo.


## Signing in

sign-in-verb = Accedi
sign-in-guide-server = Server guida
sign-in-name = Nome
sign-in-email = Indirizzo e-mail
sign-in-name-or-email = Nome o indirizzo e-mail
sign-in-password = Password
sign-in-new-password = Password, almeno 8 caratteri
sign-in-region = Regione
sign-in-create = Crea account
sign-in-create-instead = Crea account…
sign-in-have-account = Ho già un account
# The words in angle brackets are a file name.
sign-in-no-account = Non esiste ancora un account. Per crearlo, aprire il link contenuto nel file <code>first-account</code> della cartella dati del server, leggibile solo dal proprietario.
sign-in-first-account = Non esiste ancora un account. Crearne uno per la famiglia. Anche registratori e decoder lo usano per accedere.
sign-in-another-account = Creare un account per la famiglia. Anche registratori e decoder lo usano per accedere.
sign-in-wrong = Il nome o la password non sono corretti.
sign-in-link-used = Questo link è già stato usato o è scaduto. Richiederne uno nuovo.
sign-in-no-user = Nessun utente ha ancora una password.
sign-in-no-password = Password mancante o dimenticata?
# Commands stand in angle brackets; translate NAME.
sign-in-by-command = <code>recorderd web open</code>, sul computer del registratore, mostra un link per accedere dal browser. <code>recorderd web password NOME</code> imposta la password di un utente.
sign-in-not-set-up = Questo registratore non è ancora configurato. <code>recorderd setup --web</code> ha mostrato un link nel terminale o nel log. Il codice è la parte dopo <code>#link=</code>. Vale una volta sola.
sign-in-code = Codice


## Setting up

# Title of the window.
setup-page = Configurazione
setup-title = Configurazione del registratore
setup-steps = Passaggi
setup-step-guide = Servizio guida
setup-step-recorder = Regione e dispositivo
setup-step-tuners = Tuner
setup-step-recordings = Registrazioni
setup-step-user = Utente
setup-step-check = Verifica e avvio
setup-continue = Continua
setup-more = Altre opzioni
setup-timers-from = Da dove arrivano i timer?
setup-guide-own = Dal mio servizio guida, su questo computer
setup-guide-other = Da un altro servizio guida
setup-guide-address = Indirizzo
setup-account = Account
setup-account-hint = Senza account non viene registrato nulla. È possibile accedere anche più tardi.
setup-account-own = Per creare un account, aprire la pagina del proprio servizio guida: porta { $port } di questo computer.
setup-api-key = Chiave API del servizio
setup-api-key-hint = Serve solo per alcuni servizi. La fornisce il gestore.
setup-join = Entrare in un gruppo di registratori
setup-join-hint = Eseguire recorderd fleet invite su un altro registratore del gruppo e incollare qui il testo mostrato.
setup-join-invitation = Invito
setup-join-node = Nome di questo registratore nel gruppo (vuoto: quello del computer)
setup-join-verb = Entra
setup-join-database-hint = Oppure indicare il database del gruppo e rispondere qui alle altre domande.
setup-join-database = Indirizzo del database
setup-join-password = Password del database
setup-join-secret = Segreto del gruppo (vuoto: questo registratore resta di riserva)
setup-join-stored = Il database è stato annotato. Rispondere ora alle altre domande.
setup-time-zone = Fuso orario
setup-device = Che cosa registra questo registratore
setup-device-new = I timer di un nuovo dispositivo: questo registratore viene aggiunto al servizio
setup-device-all = I timer di tutti i dispositivi dell’account
setup-device-one = I timer di { $device }
setup-tuners-used = Tuner da usare
setup-tuner = { $kind }, { $place }
setup-tuner-trying = Prova di ricezione in corso…
setup-tuner-untried = Non ancora provato.
setup-tuner-works = Funziona: video o audio di { $channel } dopo { $time }. Canali della guida disponibili: { $received } su { $count }.
setup-tuner-sign-in = Il server richiede nome utente e password oppure rifiuta quelli inseriti.
setup-tuner-scan = { $frequencies ->
    [one] L’elenco non contiene triplette per 1 frequenza: il tuner la esplora quando non serve a una registrazione.
    [many] L’elenco non contiene triplette per { $frequencies } di frequenze: il tuner le esplora quando non serve a una registrazione.
   *[other] L’elenco non contiene triplette per { $frequencies } frequenze: il tuner le esplora quando non serve a una registrazione.
}
setup-tuner-none = Non riceve alcun canale della guida ({ $count } in tutto).
# $examples: names of some of the services.
setup-tuner-others = Non riceve alcun canale della guida ({ $count } in tutto). Offre { $services ->
    [one] 1 servizio
    [many] { $services } di servizi
   *[other] { $services } servizi
}, per esempio { $examples }: assegnare i servizi ai canali nella pagina Tuner.
setup-tuner-silent = { $channel }: non è arrivato né video né audio.
# $reason is a whole sentence.
setup-tuner-not-received = { $channel } non viene ricevuto: { $reason }
setup-tuner-user = Nome utente per { $place }
setup-tuner-password = Password per { $place }
setup-tuner-sign-in-verb = Accedi a { $id }
setup-tuner-try = Prova di nuovo { $id }
setup-tuner-remove = Rimuovi { $id }
setup-tuner-removed = Tuner rimosso.
setup-look = Cerca tuner
setup-looked = Ricerca terminata.
setup-found-none = Nessuna scheda DVB nel computer e nessun server in rete.
setup-found = Tuner trovati
# $tuner: kind, address and name of a tuner that was found.
setup-use = Usa { $tuner }
setup-add-by-hand = Aggiungi un tuner tramite indirizzo
setup-add = Aggiungi e prova
setup-kind = Tipo di tuner
setup-channel-list = Elenco dei canali, un file sul computer del registratore
setup-channel-list-optional = Elenco dei canali, un file sul computer del registratore (facoltativo)
setup-simulator = Prova recorderd senza tuner
setup-simulator-hint = L’emittente simulata sostituisce l’antenna. Avviarla con <code>recorderd broadcaster</code>.
setup-simulator-add = Aggiungi simulatore
setup-kind-hdhomerun = HDHomeRun
setup-kind-satip = Server SAT>IP
setup-kind-tvheadend = Tvheadend
setup-kind-enigma2 = Ricevitore Enigma2
setup-kind-mirakurun = Mirakurun
setup-kind-dvb = Scheda DVB del computer del registratore
setup-kind-url = Elenco IPTV (M3U)
setup-kind-file = File transport stream
setup-kind-mock = Emittente simulata
setup-place-hdhomerun = Indirizzo del dispositivo
setup-place-satip = Nome o indirizzo del server
setup-place-tvheadend = Indirizzo del server
setup-place-enigma2 = Indirizzo del ricevitore
setup-place-mirakurun = Indirizzo del server
setup-place-dvb = Numero della scheda
setup-place-url = Percorso dell’elenco M3U
setup-place-file = Percorso del file
setup-place-mock = Indirizzo dell’emittente
setup-folder = Cartella delle registrazioni, sul computer del registratore
setup-before = Secondi da registrare prima di ogni programma
setup-after = Secondi da registrare dopo ogni programma
setup-user-hint = Questo nome e questa password servono per accedere al registratore da un altro computer.
setup-check-account = Account
setup-check-no-account = Nessuno. È possibile accedere più tardi.
setup-check-device = Registra
setup-check-padding = Margini
setup-padding = { $before } prima, { $after } dopo
setup-folder-there = { $folder }; { $free } liberi
setup-folder-new = { $folder }, da creare; { $free } liberi
setup-check-user = Utente
setup-check-fleet = Gruppo
setup-check-commands = Comandi che il registratore eseguirà
setup-check-file = File di configurazione
setup-write = Salva e avvia
setup-written = Configurazione salvata.
setup-starting = Configurazione salvata. Il registratore è in avvio…
# Refused answers. $reason is technical and in English.
setup-refused-address = Inserire un indirizzo come https://guide.example/api, senza nome utente.
setup-refused-tuner = Questo tuner non è utilizzabile. Controllarne l’indirizzo e l’elenco dei canali: { $reason }
setup-refused-tuner-password = Il server rifiuta questo nome utente o questa password.
setup-refused-folder-path = Inserire un percorso assoluto, per esempio /srv/recordings.
setup-refused-folder-system = Questa cartella appartiene al sistema. Scegliere una cartella riservata alle registrazioni.
setup-refused-folder-file = Il percorso porta a un file, non a una cartella.
setup-refused-folder-new = Questa cartella non esiste e non può essere creata. Crearla sul computer del registratore.
setup-refused-folder-forbidden = Il registratore non può scrivere in questa cartella. Concedere il permesso o scegliere un’altra cartella.
setup-refused-folder-full = Lo spazio libero è insufficiente. Scegliere un altro disco.
setup-refused-written = Nel frattempo è stato creato un file di configurazione. Resta invariato.
setup-refused-invitation = Questo invito non è completo. Copiare tutto il testo.
setup-refused-fleet = Questo registratore non può entrare nel gruppo: { $reason }


## Guide service

guide-service-timers = Timer
guide-service-timers-at = Aggiornati: { $at }
guide-service-no-timers = Non ancora ricevuti
guide-service-trouble = Problema
guide-service-since = Inizio: { $at }
guide-service-again = Nuovo accesso del registratore
guide-service-hint = Usare l’account del servizio guida. Il registratore salva un token, non la password.
guide-service-done = Accesso al servizio guida effettuato.
guide-service-done-until = Accesso al servizio guida effettuato. Scadenza: { $day }.
# States of the recorder's sign-in.
guide-service-sign-in-needed = accesso richiesto
guide-service-unreachable = non raggiungibile
guide-service-not-asked = non ancora contattato
guide-service-signed-in = accesso effettuato


## Notifications

# Line below the title: Today 20:15–21:45, ABC
notification-show = { $when }, { $channel }

notification-recorded-title = Registrato: { $name }
notification-damaged-title = Registrato con difetti: { $name }
# 97.5 % of the programme was recorded (3.6 GB).
notification-share = Parte registrata del programma: { $share } ({ $size }).
notification-share-unknown = Non si sa quanto del programma sia stato registrato ({ $size }).
notification-errors = { $count ->
    [0] Nessun errore nel video o nell’audio.
    [one] 1 errore nel video o nell’audio.
    [many] { $count } di errori nel video o nell’audio.
   *[other] { $count } errori nel video o nell’audio.
}
# $spans: 20:15:30–20:16:00 and 21:00:02–21:00:05
notification-gaps = Parti mancanti: { $spans }
notification-gaps-picture = Senza video: { $spans }
notification-gaps-sound = Senza audio: { $spans }

notification-not-recorded-title = Non registrato: { $name }
notification-nothing-left = Video o audio sono arrivati, ma sul disco non ne è rimasto nulla.
notification-missed = Il registratore non ha potuto iniziare in tempo. Forse era spento.

# Two recordings want the same tuner.
notification-conflict-title = Conflitto: { $name }
notification-conflict-busy = Nessun tuner è libero a quell’ora.
# $recordings: Tatort (20:15–21:45) and News (20:00–20:15)
notification-conflict-holders = I tuner servono per: { $recordings }
notification-holder = { $name } ({ $when })
notification-conflict-choice = Scegliere nella dashboard che cosa registrare.

notification-repeat-booked-title = Replica prenotata: { $name }
notification-repeat-booked = Verrà registrata questa replica: { $when }, { $channel }
# The first recording was damaged or missing, and a repeat replaced it.
notification-healed-title = Recuperato con la replica: { $name }
notification-healed = Questa replica è stata registrata senza difetti: { $when }, { $channel }

notification-file-title = Una registrazione è danneggiata: { $name }
notification-file-changed = Il file è stato modificato dopo la registrazione.
notification-file-truncated = Manca una parte del file.
notification-file-unreadable = Il disco non riesce a leggere il file.
notification-file-sizes = La dimensione è { $size } anziché { $whole }.
notification-file-kept = recorderd lascia il file com’è: { $file }

notification-disk-low-title = Il disco è quasi pieno
notification-disk-low = Le registrazioni che non trovano spazio cedono il posto a quelle più importanti. Eliminare le registrazioni che non servono più.
notification-disk-full-title = Il disco è pieno
notification-disk-full = Finché non c’è spazio libero, non viene registrato nulla. Eliminare le registrazioni che non servono più.
notification-disk-offline-title = Il disco delle registrazioni non è disponibile
notification-disk-offline = Finché il disco non torna disponibile, non viene registrato nulla.
# The disk with the recorder's own files, not the one with recordings.
notification-reserve-title = Il disco della cartella dati è pieno
notification-reserve = Il registratore continua con una piccola riserva. Liberare spazio su questo disco.
notification-data-title = Impossibile scrivere nella cartella dati
notification-data = Le registrazioni in corso continuano, ma non ne iniziano altre. Controllare il disco della cartella dati.

notification-sign-in-title = Accesso richiesto
notification-sign-in = Il servizio guida richiede un nuovo accesso dalla dashboard. Fino ad allora non arrivano nuovi timer.
notification-guide-failed-title = Il servizio guida non è utilizzabile
notification-guide-failed = Il problema dura da { $duration }. Le registrazioni programmate continuano, ma non arrivano nuovi timer.
notification-guide-shrunk-title = Il servizio guida ha perso dei timer
notification-guide-shrunk = Timer futuri nel suo elenco: solo { $listed } su { $held }. Il registratore li conserva tutti finché non è certo che siano stati eliminati.
notification-secrets-title = Il file delle password non è utilizzabile
notification-secrets-earlier = Le password precedenti restano in uso fino al riavvio del registratore.
notification-secrets-none = Le registrazioni programmate continuano, ma non arrivano nuovi timer e i tuner che richiedono una password non funzionano.

notification-tuner-title = Il tuner { $tuner } non funziona
notification-tuner = Ha avuto errori più volte di seguito. Il piano non fa affidamento su questo tuner finché non funziona di nuovo.
notification-clock-title = L’orologio del registratore potrebbe essere errato
notification-clock = Controllare data e ora del computer. Finché non sono corrette, il registratore non termina alcuna registrazione in base a questo orologio.
notification-woke-late-title = Il computer si è riattivato troppo tardi
notification-woke-late-wanted = Ora prevista: { $time }
notification-woke-late-came = Ora effettiva: { $time }

# A piece of work took all of the computing time.
notification-set-aside-title = Il registratore si è bloccato ed è stato riavviato
notification-set-aside-rest = L’operazione che l’ha bloccato resta sospesa per { $duration }.
notification-work-guide-document = Nel frattempo questi documenti vengono letti in un thread separato.
notification-work-guide-list = Nel frattempo il registratore non scarica questo elenco e mantiene ciò che ha già.
notification-work-decision = Questa operazione non viene saltata, perché le registrazioni ne dipendono.
notification-work-hook = Nel frattempo gli hook di questa registrazione restano in attesa.
notification-work-broadcast-guide = Nel frattempo non vengono raccolti dati sui programmi dalla trasmissione.
notification-work-stored-document = Questa operazione non viene saltata, perché il registratore ne dipende.
# $work: a technical name, always in English
notification-set-aside-work = Per l’assistenza: { $work }

# Reasons of a failure, each on a line of its own
notification-why-busy = Tutti i tuner erano in uso.
notification-why-in-use = Il tuner era usato da un altro software.
notification-why-channel = Il registratore non sa come ricevere questo canale. Assegnarlo nella pagina Tuner.
notification-why-none = Nessun tuner può ricevere questo canale.
notification-why-clock = L’orologio del registratore in quel momento non era corretto.
notification-why-signal = Il tuner non ha segnale. Controllare l’antenna e il cavo.
notification-why-tuner-gone = Il tuner non risponde. Controllarne l’alimentazione e la rete.
notification-why-tuner-password = Il server del tuner rifiuta la password.
notification-why-silent = Non è arrivato né video né audio.
# A part of the programme was recorded.
notification-why-interrupted = La ricezione si è interrotta.
notification-why-wrong = Il tuner ha fornito un altro canale.
notification-why-encrypted = Il canale è criptato.
notification-why-excess = Il tuner ha fornito i dati più velocemente di quanto possa un canale.
notification-why-capture = La registrazione è stata interrotta da un errore del registratore.
notification-why-full = Il disco era pieno.
notification-why-write = Non è stato possibile scrivere la registrazione sul disco.
notification-why-storage = Il disco delle registrazioni non ha risposto.
notification-why-guide-gone = Il servizio non risponde. Controllare la rete e la connessione a Internet.
notification-why-guide-certificate = Il certificato del servizio non è valido.
notification-why-guide-errors = Il servizio risponde con errori.
notification-why-log = Il motivo è indicato nel log del registratore.

notification-test-title = Prova di recorderd
notification-test = Questa è una prova di recorderd: le notifiche arrivano qui.
notification-mail-subject = recorderd: { $title }
# Name of the entity in Home Assistant
notification-entity = Novità
# Last line of an e-mail: Today 20:15 (Europe/Berlin)
notification-mail-time = { $when } ({ $zone })


## Messages to the guide service

# A guide service shows them beside a timer, in at most 500 letters.
# $tuner: the name of a tuner. $span: 20:05–21:40. $at, $since, $time: a time of day, such as 20:05 or 20:05:30.
report-scheduled = Programmata sul tuner { $tuner }, { $span }.
report-no-tuner = Nessun tuner è libero.
report-interrupted = Interrotta.
report-trying = Il registratore continua a provare fino alla fine, { $span }.
# $late: a length, such as 40 s; “none” if it began in time.
report-recording = Registrazione in corso sul tuner { $tuner } dalle { $since }{ $late ->
    [none] { "" }
   *[other] , con un ritardo di { $late }
}{ $interruptions ->
    [0] { "" }
    [1] , interrotta una volta
   *[other] , interrotta { $interruptions } volte
}.
report-withdrawn = Annullata.
report-withdrawn-kept = Annullata. La parte già registrata viene conservata.
report-order-kept = Il timer precedente resta valido.
# $reason is technical and in English.
report-not-understood = Timer non leggibile: { $reason }

# $figures is a list: 97 % of the event, 3.00 GB, no errors
report-recorded = Registrata{ $verdict ->
    [perfect] , perfetta
    [good] , buona
    [damaged] , danneggiata
    [unusable] , inutilizzabile
   *[none] { "" }
}: { $figures }.
report-recorded-part = Registrata solo in parte{ $verdict ->
    [perfect] , perfetta
    [good] , buona
    [damaged] , danneggiata
    [unusable] , inutilizzabile
   *[none] { "" }
}: { $figures }.
report-recorded-unverified = Registrata, ma non verificata: { $figures }.
report-share = { $share }% del programma
report-gigabytes = { NUMBER($size, minimumFractionDigits: 2, maximumFractionDigits: 2) } GB
report-megabytes = { NUMBER($size, minimumFractionDigits: 1, maximumFractionDigits: 1) } MB
report-no-errors = nessun errore
report-no-clock = { $figures }; il flusso non ha un orologio, quindi non si sa quanto del programma sia presente
report-plain-name = con un nome semplice, perché il disco ha rifiutato il nome completo
report-flaw-continuity = { $count ->
    [one] { $count } errore di continuità
    [many] { $count } di errori di continuità
   *[other] { $count } errori di continuità
}
report-flaw-tables = { $count ->
    [one] { $count } errore nelle tabelle
    [many] { $count } di errori nelle tabelle
   *[other] { $count } errori nelle tabelle
}
report-flaw-transport = { $count ->
    [one] { $count } errore di trasporto
    [many] { $count } di errori di trasporto
   *[other] { $count } errori di trasporto
}
report-flaw-scrambled = { $count ->
    [one] { $count } pacchetto criptato
    [many] { $count } di pacchetti criptati
   *[other] { $count } pacchetti criptati
}
report-flaw-clock = { $count ->
    [one] { $count } salto dell’orologio
    [many] { $count } di salti dell’orologio
   *[other] { $count } salti dell’orologio
}
report-flaw-damaged = { $count ->
    [one] { $count } pacchetto danneggiato
    [many] { $count } di pacchetti danneggiati
   *[other] { $count } pacchetti danneggiati
}
report-flaw-junk = { $count ->
    [one] { $count } byte superfluo
    [many] { $count } di byte superflui
   *[other] { $count } byte superflui
}
# $spans is a list of times: 20:05:10–20:05:12, 20:14:30–20:45
report-gap = parti mancanti { $spans }
report-gap-picture = senza video { $spans } (audio presente)
report-gap-sound = senza audio { $spans }
report-hollow-picture = i pacchetti del video sono arrivati, ma non si possono decodificare
report-hollow-picture-unchecked = i pacchetti del video sono arrivati, ma sembrano vuoti, e ffmpeg non ha potuto verificarli
report-hollow-sound = i pacchetti dell’audio sono arrivati, ma non si possono decodificare
report-hollow-sound-unchecked = i pacchetti dell’audio sono arrivati, ma sembrano vuoti, e ffmpeg non ha potuto verificarli
# $name: language and codec of a second picture or sound, such as deu, AC-3
report-track-picture = altro video ({ $name }) mancante { $spans }
report-track-picture-never = altro video ({ $name }) annunciato ma mai trasmesso
report-track-sound = altro audio ({ $name }) mancante { $spans }
report-track-sound-never = altro audio ({ $name }) annunciato ma mai trasmesso

# $why, $trouble: whole sentences. English has no use for report-tuner-trouble: its sentences name the tuner.
report-not-recorded = Non registrata. { $why }
report-tuner-trouble = { $trouble } (tuner { $tuner })
report-details = ({ $details })
# Labels with values of a trouble, at the end of messages and in notifications.
trouble-value-file = File: { $file }
trouble-value-system = Codice di errore: { $code }
trouble-value-free = Spazio libero sul disco: meno di { $size }
trouble-value-silent = Durata senza ricezione: { $length }
trouble-value-clock-ahead = L’orologio era avanti di: { $by }
trouble-value-clock-behind = L’orologio era indietro di: { $by }
trouble-value-message = Messaggio del software: { $message }
report-nothing-left = Non registrata: video o audio sono arrivati, ma sul disco non ne è rimasto nulla.
report-nothing-arrived = Non registrata: non è arrivato né video né audio.
report-too-late = Non registrata: l’orario è passato prima che potesse iniziare.
report-was-asleep = Non registrata: il registratore era in sospensione, { $span }.
report-was-off = Non registrata: il registratore era spento, { $span }.
report-storage-offline = Terminata. Disco non disponibile (inizio: { $at }). Il file verrà completato quando il disco tornerà disponibile.
report-storage-slow = Terminata. Il disco non risponde (inizio: { $at }), perciò il file non è ancora completo.
report-node-away = Terminata. Un altro registratore ne ha una parte ed è spento (inizio: { $at }). Il file verrà completato quando tornerà in funzione.
report-unfinished = Terminata. Non è possibile completare il file (inizio: { $at }). Il registratore continua a provare. { $why }

# $held is a list: sat1 records “News” 20:05–21:40; sat2 records “Tatort” 20:15–21:45
report-conflict = Conflitto: nessun tuner è libero.
report-conflict-held = Conflitto: nessun tuner è libero ({ $held }).
report-holder = { $tuner } registra «{ $name }» { $span }
report-remedy-withdraw = Senza «{ $name }» il programma verrebbe registrato.
report-remedy-priority = Con priorità { $priority } il programma verrebbe registrato.
report-remedy-priority-loses = Con priorità { $priority } il programma verrebbe registrato, ma queste registrazioni perderebbero una parte: { $names }.
report-remedy-tuner = Con un altro tuner come { $tuner } il programma verrebbe registrato.
report-remedy-none = Nessuna modifica basterebbe da sola: né rinunciare a un’altra registrazione, né una priorità più alta, né un tuner in più.
# $day: Thu 26 Nov
report-remedy-repeat = Verrebbe registrata la replica: { $day }, { $time }, { $channel }.
report-repeat-booked = La replica è prenotata: { $day }, { $time }, { $channel }.
report-repeat-healed = La replica è stata registrata per intero: { $day }, { $time }, { $channel }.
# $code: the technical name of an error, always in English
report-doubt = Incerta: il tuner { $tuner } ha problemi (inizio: { $since }, { $code }). La registrazione verrà tentata comunque.
report-trim-start = Solo in parte, a partire dalle { $at }: prima nessun tuner è libero.
report-trim-start-held = Solo in parte, a partire dalle { $at }: prima nessun tuner è libero ({ $held }).
# $parts is a list of the next three. $name: a title in quotes, or “another recording”.
report-trim = Margini ridotti: { $parts }.
report-trim-before = { $length } in meno prima, dopo { $name }
report-trim-after = { $length } in meno dopo, per { $name }
report-trim-late = inizio con un ritardo fino a { $length }, dopo { $name }
report-title = «{ $name }»
report-another = un’altra registrazione
report-day = { $weekday } { $date }

# Lists of any length: of items, of items with commas, of sentences
report-items = { $before }, { $next }
report-groups = { $before }; { $next }
report-sentences = { $before } { $next }
`;
