/** French. */
export const fr = `
## Times and amounts

today = Aujourd’hui
tomorrow = Demain
yesterday = Hier
# Inside a sentence: “since yesterday 20:15”
today-inside = aujourd’hui
tomorrow-inside = demain
yesterday-inside = hier
# Today 20:15
day-and-time = { $day } { $time }
days = { $days ->
    [one] { $days } jour
    [many] { $days } de jours
   *[other] { $days } jours
}
hours = { $hours } h
minutes = { $minutes } min
seconds = { $seconds } s
# 1 h 30 min
larger-and-smaller = { $larger } { $smaller }

## Frame: around every page

frame-loading = Chargement…
frame-waiting = En attente de l’enregistreur…
frame-skip = Aller au contenu
frame-pages = Pages
# The title of the window. $page is the name of a page, $name that of the program.
frame-title = { $page } · { $name }
# $time has seconds: 20:15:03
frame-silent = L’enregistreur ne répond plus depuis { $time }. Les informations affichées datent de ce moment. Nouvel essai en cours…
frame-part-missing = Une partie de cette page n’a pas pu être chargée. La page se rechargera dès que l’enregistreur répondra.
# Read out when the page gets every change at once
frame-live = en direct
frame-connecting = connexion…
frame-guide-server = serveur de guide
frame-colours = Couleurs : { $theme ->
    [light] claires
    [dark] sombres
   *[system] du système
}
frame-language = Langue
frame-signed-out = Déconnexion effectuée.
frame-sign-out = Se déconnecter

## Navigation and common parts

# The name of a button that asks before it acts: Delete…
confirm-opens = { $label }…
confirm-keep = Conserver
dialog-close = Fermer

# Names of pages, and their headings. The first five are in a bar at the bottom of a phone: about 40 letters fit in all.
nav-tonight = Ce soir
nav-guide = Guide
nav-recordings = Enregistrements
nav-rules = Règles
nav-more = Plus
nav-devices = Appareils
nav-channels = Chaînes
nav-users = Utilisateurs
nav-timeline = Chronologie
nav-timers = Programmations
nav-tuners = Tuners
nav-log = Journal
# The page More: a line under each link
more-timeline = Ce que chaque tuner enregistre, heure par heure
more-timers = Les enregistrements à venir et le bilan des précédents
more-tuners = Réception, chaînes et espace disque
more-log = L’activité de l’enregistreur
more-guide-service = Service de guide
more-guide-service-line = D’où viennent le guide et les programmations
more-users = Qui peut utiliser ce serveur de guide
more-browser = Ce navigateur
push-turn-on = Activer les notifications
push-turn-off = Désactiver les notifications
push-is-on = Les notifications arrivent désormais sur cet appareil. Une notification de test est en route.
push-is-off = Ce navigateur ne reçoit plus de notifications.
push-insecure = Les notifications n’atteignent un navigateur que par une adresse sécurisée (https).
push-impossible = Ce navigateur ne peut pas recevoir de notifications. Sur un iPhone ou un iPad, ajoutez d’abord cette page à l’écran d’accueil.
push-denied = Le navigateur n’autorise pas les notifications de cette page. Autorisez-les dans ses réglages.
push-refused = Le service push du navigateur a refusé la demande. Réessayez plus tard.
more-recorder = Enregistreur
more-version = recorderd { $version }
# A button: asks the guide service for timers at once
more-sync = Synchroniser
more-syncing = Synchronisation avec le service de guide en cours.

## Tonight

# The first sentence of the start page. Tonight lasts until six in the morning.
tonight-nothing = Rien n’est prévu ce soir.
tonight-only-running = { $count ->
    [one] 1 enregistrement est en cours. Rien d’autre n’est prévu ce soir.
    [many] { $count } d’enregistrements sont en cours. Rien d’autre n’est prévu ce soir.
   *[other] { $count } enregistrements sont en cours. Rien d’autre n’est prévu ce soir.
}
tonight-all = { $count ->
    [one] 1 enregistrement est prévu ce soir.
    [many] { $count } d’enregistrements sont prévus ce soir.
   *[other] { $count } enregistrements sont prévus ce soir.
}
# $planned: those that have a tuner
tonight-some = { $count ->
    [one] 1 enregistrement de ce soir ne peut pas se faire comme prévu.
   *[other] { $planned ->
        [0] Aucun des { $count } enregistrements de ce soir ne peut se faire comme prévu.
        [one] Un seul des { $count } enregistrements de ce soir peut se faire comme prévu.
       *[other] Seuls { $planned } des { $count } enregistrements de ce soir peuvent se faire comme prévu.
    }
}
tonight-decisions = { $count ->
    [one] 1 décision à prendre.
    [many] { $count } de décisions à prendre.
   *[other] { $count } décisions à prendre.
}
tonight-now = En cours d’enregistrement
tonight-next = À suivre, jusqu’à demain matin
tonight-lost = Non enregistrés
tonight-new = À regarder
tonight-show-all = Tout afficher
# The same link, read out. $of is the title of its list: “New to watch”
tonight-show-all-of = Tout afficher : { $of }
tonight-watch = Regarder
tonight-watch-it = Regarder { $name }
# $share is a percentage, of the broadcast and of the recording
tonight-over = Diffusé à { $share }
tonight-until = jusqu’à { $time }
tonight-until-well = jusqu’à { $time } · sans interruption
# $day: “Yesterday”, or a date. $length: “50 min”, or “27 min left”
tonight-day-and-length = { $day } · { $length }
tonight-left = reste { $length }
# Nothing was recorded in this home yet
tonight-start = Rien n’a encore été enregistré. Trouvez votre premier programme dans le <link>guide</link>.
tonight-hours = { $hours ->
    [0] Il reste moins d’une heure d’enregistrement sur le disque.
    [one] Il reste environ 1 heure d’enregistrement sur le disque.
    [many] Il reste environ { $hours } d’heures d’enregistrement sur le disque.
   *[other] Il reste environ { $hours } heures d’enregistrement sur le disque.
}
# $at: “Tomorrow 00:50”
tonight-full = Disque plein : { $at }

## Decisions: conflicts and what solves them

decision-title = Décisions
decision-searching = La recherche d’un meilleur planning continue.
# $names: one or more titles. $start and $stop: times of day.
decision-lost = Pas d’enregistrement possible pour { $names } : aucun tuner n’est libre de { $start } à { $stop }.
# $lost: a length, such as 7 min. $from: a time of day.
decision-partly = Pour { $names }, il manquerait { $lost } au début : aucun tuner n’est libre avant { $from }.
# Somebody chose another recording before this one.
decision-settled = Pas d’enregistrement pour { $names } : la priorité va à un autre enregistrement.
# A tuner that fails is tried all the same.
decision-uncertain = Enregistrement incertain pour { $names } : le tuner prévu est défaillant, et aucun autre n’est libre.
decision-other = Pas d’enregistrement possible pour { $names }.
# Where and when: Das Erste, Today 20:15–21:45
decision-on = { $channel }, { $when }
decision-choices = Choix
# $at: a day and a time.
decision-repeat = Enregistrer la rediffusion : { $at }
decision-repeat-of = Enregistrer la rediffusion : { $name }, { $at }
decision-repeat-cost = Sur { $channel }. Rien n’est perdu.
decision-record = Enregistrer { $names }
# A title and when it begins, where titles are listed: News 20:00
decision-name = { $name } { $time }
decision-cost-nothing = Rien n’est perdu.
decision-cost-lost = { $count ->
    [one] Non enregistré : { $names }.
   *[other] Non enregistrés : { $names }.
}
decision-cost-partly = { $count ->
    [one] Enregistré en partie : { $names }.
   *[other] Enregistrés en partie : { $names }.
}
decision-cost-mixed = Non enregistré : { $names }. En partie : { $partly }.
decision-cost-cancel = Programmation annulée : { $name }.
decision-done-repeat = La rediffusion est en cours de programmation pour { $name }. La programmation actuelle sera ensuite annulée.
decision-done-priority = { $name } a maintenant la priorité. Le planning est en cours de mise à jour.
decision-done-cancel = Programmation annulée : { $name }. Le planning est en cours de mise à jour.
# $tuner: the name of a tuner.
decision-add-tuner = Un second tuner comme { $tuner } résoudrait ce conflit.
decision-none = Aucun changement ne suffirait à lui seul : ni l’annulation d’un autre enregistrement, ni une priorité plus élevée, ni un tuner de plus.
decision-why = Pourquoi ?
decision-change = Revenir sur ce choix
# $when: day and times.
decision-holder = { $tuner } enregistre { $name } ({ $when }).
decision-show-all = Tout afficher ({ $count })


## Troubles, by error code

# One sentence says what is wrong, another what to do.
trouble-title = Problèmes
# $at: a day and a time, or a time.
trouble-since = Depuis : { $at }
trouble-technical = Détails techniques
trouble-guide-sign-in = Le service de guide demande une nouvelle connexion. D’ici là, aucune nouvelle programmation n’arrive. <link>Se connecter</link>
trouble-guide-few = { $listed ->
    [0] Le service de guide n’indique plus aucune des { $held } programmations. Elles ne sont pas annulées pour autant.
    [one] Le service de guide n’indique plus que { $listed } programmation sur { $held }. Aucune n’est annulée pour autant.
    [many] Le service de guide n’indique plus que { $listed } de programmations sur { $held }. Aucune n’est annulée pour autant.
   *[other] Le service de guide n’indique plus que { $listed } programmations sur { $held }. Aucune n’est annulée pour autant.
}
trouble-clock = L’horloge de l’enregistreur n’est pas fiable. Il continue d’enregistrer, et donnera les résultats quand elle sera à l’heure. Vérifiez la date et l’heure de l’enregistreur.
trouble-clock-behind = L’horloge de l’enregistreur semble retarder de { $by }. Vérifiez la date et l’heure de l’enregistreur.
trouble-clock-ahead = L’horloge de l’enregistreur semble avancer de { $by }. Vérifiez la date et l’heure de l’enregistreur.
trouble-data-disk-full = Le disque du dossier de données est plein. Les enregistrements en cours continuent ; libérez de la place sur ce disque.
trouble-data-disk-low = Le disque du dossier de données est plein, et l’enregistreur puise dans sa réserve. Libérez de la place sur ce disque.
trouble-secrets = L’enregistreur ne peut pas lire ses mots de passe mémorisés. Les enregistrements prévus ne sont pas affectés.
trouble-secrets-earlier = L’enregistreur ne peut pas lire ses mots de passe mémorisés, et utilise les précédents jusqu’à son redémarrage.
trouble-no-answer = L’enregistreur ne répond pas.
trouble-answer = L’enregistreur n’a pas pu effectuer cette action (code { $status }).
trouble-other = Un problème est survenu. Consultez les détails techniques.

trouble-no-tuner-free = Aucun tuner n’est libre à ce moment : d’autres enregistrements les occupent tous.
trouble-guide-unreachable = Le service de guide est injoignable. Vérifiez la connexion à Internet ; l’enregistreur continue d’essayer.
trouble-guide-busy = Le service de guide est indisponible pour le moment. L’enregistreur continue d’essayer.
trouble-guide-unreadable = L’enregistreur ne comprend pas les réponses du service de guide. Vérifiez l’adresse du service dans les réglages.
trouble-guide-certificate = La connexion au service de guide n’est pas sécurisée. Vérifiez la date de l’enregistreur et le certificat du service.
trouble-guide-set-aside = La lecture d’une réponse du service de guide a pris trop de temps. L’enregistreur réessaiera de lui-même.
trouble-guide-signed-out = Le service de guide demande une nouvelle connexion.
trouble-guide-forbidden = Vos droits ne permettent pas cette action. Adressez-vous à un propriétaire du compte.
trouble-guide-not-found = Cette entrée n’existe plus dans le service de guide.
trouble-guide-refused = Le service de guide a refusé cette modification.
trouble-listing = Les grilles de programmes n’ont pas pu être chargées. Les précédentes restent utilisées.
trouble-channel = L’enregistreur ne sait pas comment recevoir cette chaîne. Associez-la à un service sur la page Tuners.
trouble-clock-wrong = L’horloge de l’enregistreur n’était pas à l’heure à ce moment-là. Vérifiez la date et l’heure de l’enregistreur.
trouble-no-tuner-capable = Aucun tuner ne reçoit cette chaîne.
trouble-tuner-in-use = Un autre logiciel utilise le tuner.
trouble-no-signal = Le tuner ne reçoit aucun signal. Vérifiez l’antenne et le câble.
trouble-tuner-unreachable = Le tuner ne répond pas. Vérifiez qu’il est allumé et connecté.
trouble-tuner-forbidden = L’enregistreur n’a pas le droit d’utiliser le tuner. Accordez-lui ce droit.
trouble-tuner-password = Le tuner refuse le nom d’utilisateur ou le mot de passe mémorisé.
trouble-tuner-scan = Le tuner ne trouve plus cette chaîne. Relancez la recherche des chaînes.
trouble-stalled = Le signal a été interrompu. Vérifiez la réception.
trouble-ended = Le tuner a cessé d’envoyer des données.
trouble-scrambled = La chaîne est cryptée, et ce tuner ne peut pas la décrypter.
trouble-excessive = Le tuner a envoyé des données plus vite qu’aucune chaîne ne le peut. Vérifiez son adresse.
trouble-capture-died = L’enregistrement s’est arrêté de façon inattendue. L’enregistreur le relance.
trouble-capture-not-started = L’enregistrement n’a pas pu démarrer.
trouble-disk-full = Le disque des enregistrements est plein. Supprimez des enregistrements pour libérer de la place.
trouble-disk-low = Le disque des enregistrements est presque plein. Supprimez des enregistrements pour libérer de la place.
trouble-write-failed = L’enregistreur ne peut pas écrire sur le disque des enregistrements. Vérifiez le disque.
trouble-disk-missing = Le disque des enregistrements est absent. Connectez-le ; les enregistrements reprendront d’eux-mêmes.
trouble-disk-slow = Le disque des enregistrements ne répond pas à temps. Vérifiez le disque ou le serveur de fichiers.
trouble-node-away = Un autre enregistreur du groupe détient une partie de cet enregistrement et il est arrêté. Démarrez cette machine.
trouble-file-unreadable = Le fichier est illisible.
trouble-file-foreign = Un autre logiciel a modifié ou remplacé le fichier.
trouble-recording-unknown = Cet enregistrement n’existe plus.
trouble-recording-protected = L’enregistrement est protégé. Retirez d’abord la protection.
trouble-index = Il n’est pas encore possible d’avancer ni de reculer dans cet enregistrement. Regardez-le depuis le début.
trouble-conversion-busy = L’enregistreur effectue déjà le maximum de conversions. Réessayez quand un autre spectateur aura fini.
trouble-conversion-off = Cet appareil ne peut pas lire l’enregistrement sans conversion, et les conversions sont désactivées.
trouble-conversion-failed = La conversion a échoué. L’enregistrement lui-même est inchangé.
trouble-data-folder = L’enregistreur ne peut pas écrire ses données. Les enregistrements en cours continuent ; vérifiez le disque du dossier de données.
trouble-set-up = L’enregistreur est mal configuré. Son journal indique ce qu’il faut corriger.
trouble-notify = La notification n’a pas pu être envoyée. Vérifiez les réglages des notifications.
trouble-planning = Le planning n’a pas pu être mis à jour. Les enregistrements suivent le planning précédent.
trouble-not-ready = L’enregistreur démarre ou est occupé. Réessayez dans un instant.
trouble-site = Le site de contenus n’a pas donné de réponse exploitable. Réessayez plus tard.
trouble-site-sign-in = Le site de contenus demande une connexion.


## States and verdicts

# Chips: one or two words.
state-planned = prévu
# Only a part will be recorded.
state-partly = en partie
state-conflicted = conflit
state-tuning = démarrage
state-waiting = nouvel essai
state-recording = en cours
state-closing = finalisation
state-completed = complet
state-partial = partiel
state-failed = échec
state-missed = manqué
state-cancelled = annulé
verdict-perfect = parfait
verdict-good = bon
verdict-damaged = endommagé
verdict-unusable = inutilisable
file-missing = absent
file-changed = modifié
file-unreadable = illisible
file-truncated = tronqué : { $size } sur { $whole }
file-intact = intact
file-unproven = non vérifié

# Sentences about one recording.
result-planned = L’enregistrement est prévu : { $when }.
result-partly = Une partie seulement sera enregistrée : { $when }.
result-conflicted = L’enregistrement n’aura pas lieu.
result-tuning = L’enregistrement démarre.
result-waiting = L’enregistreur continue d’essayer jusqu’à { $stop }.
result-recording = L’enregistrement est en cours, jusqu’à { $stop }.
result-closing = L’enregistrement est terminé, et le fichier est en cours de finalisation.
result-completed = L’enregistrement est complet.
result-perfect = L’enregistrement est complet et sans défaut.
result-good = L’enregistrement est complet.
result-damaged = L’enregistrement a des défauts : il contient { $share } du programme.
result-unusable = L’enregistrement est inutilisable : il ne contient que { $share } du programme.
# Without figures.
result-damaged-plain = L’enregistrement a des défauts.
result-unusable-plain = L’enregistrement est inutilisable.
result-partial = L’enregistrement est partiel : il contient { $share } du programme.
result-unverified = L’enregistrement est fait, mais la part du programme qu’il contient est inconnue.
result-failed = Rien n’a été enregistré.
result-missed = L’enregistrement n’a pas eu lieu : l’heure est passée.
result-cancelled = L’enregistrement a été annulé.
result-clock = L’horloge de l’enregistreur n’est pas fiable. Le résultat suivra quand elle sera à l’heure.
result-doubt = Le tuner { $tuner } est défaillant depuis { $at }. L’enregistrement sera tenté quand même.
result-doubt-plain = Le tuner prévu est défaillant. L’enregistrement sera tenté quand même.
# $lost: a length, such as 7 min.
result-late = Il manquera { $lost } au début du programme : aucun tuner n’est libre avant { $from }.
result-less-before = La marge avant le programme est réduite de { $lost } : un autre enregistrement a besoin du tuner.
result-less-after = La marge après le programme est réduite de { $lost } : un autre enregistrement a besoin du tuner.
result-seam = Le début peut être retardé de { $lost } au plus : le tuner enchaîne après un autre enregistrement.
result-no-errors = Aucune erreur de réception.
result-errors = { $count ->
    [one] 1 erreur de réception.
    [many] { $count } d’erreurs de réception.
   *[other] { $count } erreurs de réception.
}
# $spans: times of day with seconds.
result-missing = Passages manquants : { $spans }
result-storage-missing = Le disque est absent depuis { $at }. Le fichier sera finalisé à son retour.
result-storage-slow = Le disque ne répond plus depuis { $at } ; le fichier n’est donc pas encore finalisé.
result-node-away = Un autre enregistreur détient une partie de cet enregistrement et il est arrêté depuis { $at } ; le fichier n’est donc pas encore finalisé.
result-storage-failed = Depuis { $at }, le fichier ne peut pas être finalisé. L’enregistreur continue d’essayer.
repeat-booking = La rediffusion est en cours de programmation : { $at }, { $channel }.
repeat-again = La rediffusion n’a pas encore pu être programmée. L’enregistreur réessaie.
repeat-booked = La rediffusion est programmée : { $at }, { $channel }.
repeat-needless = L’enregistrement est complet : la rediffusion est inutile.
repeat-healed = La rediffusion a été enregistrée en entier.
repeat-moved = La rediffusion est enregistrée à la place : { $at }, { $channel }.
repeat-given-up = La rediffusion n’a pas remplacé cet enregistrement.
repeat-not-booked = Aucune rediffusion n’a été programmée.


## Details of a recording

detail-episode = Saison { $season }, épisode { $episode }
# What is behind it: padding, tuner, file, reception.
detail-more = Plus de détails
detail-channel = Chaîne
detail-event = Diffusion
detail-window = Avec les marges
detail-priority = Priorité
detail-tuner = Tuner
detail-reported = État signalé
detail-not-reported = pas encore signalé
reported-waiting = en attente
reported-pending = en attente
reported-running = en cours
reported-completed = terminé
reported-failed = échec
detail-repeat = Rediffusion
detail-attempts = Tentatives
detail-on-disk = Sur le disque
# $size: 1.5 GB
detail-size = { $parts ->
    [one] { $size }
    [many] { $size } en { $parts } de parties
   *[other] { $size } en { $parts } parties
}
detail-of-event = Part du programme
# $share: 99.5 %. $length: 1 h 30 min
detail-share = { $share } ({ $length })
detail-lost-packets = Paquets perdus
detail-damaged-packets = Paquets endommagés
detail-encrypted-packets = Paquets cryptés
detail-file = Fichier
detail-wrong = Problème
detail-compared = Vérification
detail-compared-at = { $verdict }, { $at }
detail-deleted-person = L’enregistrement a été supprimé par un utilisateur.
detail-deleted-retention = L’enregistrement a été supprimé pour libérer de la place.
detail-deleted-repeat = L’enregistrement a été supprimé : une rediffusion complète l’a remplacé.
detail-delete = Supprimer
detail-delete-ask = Supprimer l’enregistrement ? Cette action est irréversible.
detail-delete-verb = Supprimer définitivement
detail-delete-done = Enregistrement supprimé.
detail-protect = Protéger
detail-protect-done = L’enregistrement est protégé : il ne sera pas supprimé pour libérer de la place.
detail-unprotect = Ne plus protéger
detail-unprotect-done = L’enregistrement n’est plus protégé.
detail-watched = Marquer comme vu
detail-watched-done = Marqué comme vu.
detail-unwatched = Marquer comme non vu
detail-unwatched-done = Marqué comme non vu.
detail-verify = Vérifier le fichier
detail-verify-done = Le fichier est en cours de vérification.
detail-change = Modifier la programmation
detail-before = Minutes avant
detail-after = Minutes après
detail-padding = Modifier les marges
detail-padding-done = Marges modifiées dans le service de guide.
detail-priority-change = Modifier la priorité
detail-priority-done = Le planning est en cours de mise à jour.
detail-cancel = Annuler la programmation
detail-cancel-ask = Annuler cette programmation dans le service de guide ? La partie déjà enregistrée est conservée.
detail-cancel-verb = Annuler la programmation
detail-cancel-done = Programmation annulée.

## Recordings of another recorder

imported-by = Enregistré par { $recorder }, à qui appartient le fichier.
imported-out = Retirer de la liste
imported-out-ask = Retirer l’enregistrement de cette liste ? Le fichier reste chez { $recorder }.
imported-out-verb = Retirer
imported-out-done = Enregistrement retiré de la liste.


## What happened: the history of a timer

# Each of these is one line of a history, with its time before it.
happened-title = Ce qui s’est passé
happened-lines = { $count ->
    [one] { $count } entrée
    [many] { $count } d’entrées
   *[other] { $count } entrées
}
# The same line several times in a row.
happened-times = { $text } ({ $count } fois)
# $zone: the name of a time zone, such as Europe/Berlin.
happened-technical = Pour les techniciens, en anglais. Les heures sont celles du fuseau { $zone }.
happened-technical-plain = Pour les techniciens, en anglais. Les heures citées sont celles du fuseau de l’enregistreur.
# Stands for a value that an earlier version did not keep.
happened-unknown = inconnu
# $since: a day and a time.
happened-started = L’enregistreur a démarré. Il était arrêté depuis : { $since }
happened-clock-forward = L’horloge de l’enregistreur a été avancée de { $by }.
happened-clock-back = L’horloge de l’enregistreur a été retardée de { $by }.
happened-clock-not-trusted = À partir de ce moment, l’horloge de l’enregistreur n’a plus été jugée fiable. Aucun enregistrement n’a été arrêté pour cette raison.
happened-clock-trusted = L’horloge de l’enregistreur a de nouveau été jugée fiable.
happened-asleep = L’enregistreur était en veille : { $when }.
happened-off = L’enregistreur était éteint : { $when }.
happened-ordered = Programmé : { $name } sur { $channel }, { $when }.
happened-order-changed = Le programme a été déplacé : { $when }.
happened-priority = La priorité est passée à { $priority }.
happened-padding = Les marges sont passées à { $before } min avant et { $after } min après.
happened-override-removed = La priorité et les marges fixées dans l’enregistreur ont été retirées.
happened-repeat-ordered = La rediffusion est en cours de programmation : { $at }, { $channel }.
happened-repeat-booked = La rediffusion est programmée.
happened-repeat-delayed = La rediffusion n’a pas encore pu être programmée. L’enregistreur réessaie.
happened-repeat-cancelling = La programmation est en cours d’annulation : la rediffusion la remplace.
happened-repeat-dropping = L’enregistrement est complet ; la rediffusion est donc en cours d’annulation.
happened-repeat-moved = La rediffusion est enregistrée à la place.
happened-repeat-healed = La rediffusion a été enregistrée en entier.
happened-repeat-needless = La rediffusion n’est plus nécessaire.
happened-repeat-given-up = La rediffusion n’a pas remplacé cet enregistrement.
happened-absent = Cette programmation a disparu du service de guide ; elle est considérée comme annulée.
happened-not-understood = L’entrée du service de guide n’a pas pu être lue.
happened-placed = Prévu sur le tuner { $tuner }.
happened-tuner-changed = Désormais prévu sur le tuner { $tuner }.
happened-displaced = L’enregistrement a perdu sa place dans le planning.
happened-trimmed = Prévu avec des marges réduites, ou en partie.
happened-conflict = L’enregistrement n’avait pas de place dans le planning.
happened-held-back = L’heure était venue, mais l’enregistrement ne pouvait pas encore démarrer.
happened-flowing = L’enregistrement a commencé sur le tuner { $tuner }.
happened-doubted = L’enregistrement semblait échouer ; un second a donc commencé sur le tuner { $tuner }.
happened-drained = La machine qui enregistrait passe en maintenance ; un second enregistrement a donc commencé sur le tuner { $tuner }.
happened-relieved = L’enregistrement continue sur le tuner { $tuner }.
happened-followed = L’enregistrement suit la diffusion, jusqu’à { $stop }.
happened-lease-taken = Le tuner { $tuner } servait à autre chose ; il a été libéré pour cet enregistrement.
happened-tuner-quarantined = Le tuner { $tuner } est tombé en panne.
happened-tuner-back = Le tuner { $tuner } fonctionne de nouveau.
happened-adopted = L’enregistreur a redémarré, et l’enregistrement s’est poursuivi sans coupure.
happened-attempt-failed = Une tentative d’enregistrement a échoué.
happened-withdrawn = La programmation a été annulée.
happened-missed = L’heure est passée sans enregistrement.
happened-over = L’heure de fin est passée, et le fichier est en cours de finalisation.
happened-closing-failed = Le fichier n’a pas pu être finalisé. L’enregistreur continue d’essayer.
happened-evidence = Sur le disque : { $covered } sur { $length }.
happened-plain-name = Le disque n’a pas accepté le nom de fichier complet ; le fichier porte donc un nom simple.
happened-gap = Rien n’a été enregistré : { $span }.
happened-gap-picture = L’image manque : { $span }.
happened-gap-sound = Le son manque : { $span }.
happened-whole = L’enregistrement est allé jusqu’au bout.
happened-shortened = Une partie seulement a été enregistrée.
happened-empty = Rien n’a été enregistré.
happened-discarded = La programmation a été annulée. La partie déjà enregistrée est conservée.
happened-deleted-person = L’enregistrement a été supprimé par un utilisateur.
happened-deleted-retention = L’enregistrement a été supprimé pour libérer de la place.
happened-deleted-repeat = L’enregistrement a été supprimé : une rediffusion complète l’a remplacé.
happened-file-gone = Un autre logiciel a supprimé le fichier.
happened-file-back = Le fichier est de retour.
happened-file-damaged = Le fichier a été endommagé après l’enregistrement.
happened-file-sound = Le fichier est de nouveau intact.
happened-report-refused = Le service de guide a refusé le rapport.
happened-ordered-rule = Programmé par une règle : { $name } sur { $channel }, { $when }.
happened-rule-changed = La règle à l’origine de la programmation a été modifiée.


## Recordings

recordings-search = Rechercher un enregistrement
# A filter: recordings that somebody has begun to watch.
recordings-unfinished = Vus en partie
recordings-count = { $count ->
    [one] { $count } enregistrement
    [many] { $count } d’enregistrements
   *[other] { $count } enregistrements
}, { $size }
recordings-empty = Aucun enregistrement
recordings-empty-next = Choisissez un programme dans le <link>guide</link> et enregistrez-le. Il apparaîtra ici une fois terminé.
recordings-none-match = Aucun enregistrement ne correspond.
recordings-none-match-next = Essayez d’autres mots, ou affichez tous les enregistrements.
recordings-show-all = Tout afficher
# $share is a percentage.
recordings-seen = Vu à { $share }
recordings-protected = protégé
recordings-watched = vu

# The picture of a recording's bit rate, with what is missing in it.
integrity-picture = Débit au fil du temps
integrity-rate = { $average } en moyenne, { $most } au maximum.
integrity-whole = Rien ne manque.
# $gaps is a list: 2 s at 20:15:03 and 1 min of picture at 20:40:00.
integrity-missing = Il manque : { $gaps }.
integrity-gap = { $lacks ->
    [picture] { $length } d’image à { $at }
    [sound] { $length } de son à { $at }
   *[all] { $length } à { $at }
}
# The time stamps of the broadcast do not go on.
integrity-clock = { $count ->
    [one] L’horloge de la diffusion fait 1 saut.
    [many] L’horloge de la diffusion fait { $count } de sauts.
   *[other] L’horloge de la diffusion fait { $count } sauts.
}
integrity-damaged = { $count ->
    [one] 1 paquet est endommagé.
    [many] { $count } de paquets sont endommagés.
   *[other] { $count } paquets sont endommagés.
}
integrity-junk = Données illisibles : { $size }.


## Timers

timers-search = Rechercher une programmation
timers-which = Programmations affichées
timers-filter-upcoming = À venir
timers-filter-running = En cours
timers-filter-trouble = Avec problème
timers-filter-ended = Terminées
timers-filter-all = Toutes
timers-count = { $count ->
    [one] { $count } programmation
    [many] { $count } de programmations
   *[other] { $count } programmations
}
timers-empty = Aucune programmation
timers-empty-next = Choisissez un programme dans le <link>guide</link> et enregistrez-le, ou <rules>enregistrez une série entière</rules>.
timers-none-match = Aucune programmation ne correspond.
timers-none-match-next = Choisissez d’autres programmations ou d’autres mots.
timers-show-all = Tout afficher


## Timeline

timeline-view = Affichage de la chronologie
timeline-now = Maintenant
timeline-zoom-out = Zoom arrière
timeline-zoom-in = Zoom avant
timeline-range = Occupation des tuners, de la veille aux deux semaines suivantes
timeline-recordings = Enregistrements par tuner
timeline-tuner = Tuner { $id }
timeline-no-tuner = Sans tuner
# Several recordings share a tuner: it receives all of their channels at once.
timeline-shared = { $count ->
    [one] 1 enregistrement sur ce tuner
    [many] { $count } d’enregistrements partagent ce tuner
   *[other] { $count } enregistrements partagent ce tuner
}
# What a screen reader says of a recording, and what the mouse shows.
timeline-bar = { $name }, { $channel }, { $when }, { $state }
timeline-legend = Signification des couleurs
timeline-legend-planned = Prévu
timeline-legend-busy = En cours
timeline-legend-good = Complet
timeline-legend-warn = Conflit ou endommagé
timeline-legend-bad = Échec ou manqué
timeline-legend-padding = Marge
timeline-legend-shared = Tuner partagé
timeline-empty = Rien n’est prévu.
timeline-empty-next = Choisissez un programme dans le <link>guide</link> et enregistrez-le. Il apparaîtra ici à côté de son tuner.


## Tuners

tuners-title = Tuners et disque
tuners-empty = Aucun tuner n’est configuré.
tuners-empty-next = Sans tuner, rien ne peut être enregistré. La commande « recorderd tuners discover » trouve les tuners de votre réseau.
tuners-state-free = libre
tuners-state-tuning = recherche du signal
tuners-state-receiving = réception
# Somebody watches television with it, or it looks for guide data.
tuners-state-lent = occupé
tuners-quarantined = hors service
tuners-drained = en maintenance
nodes-title = Machines
nodes-state-leader = principale
nodes-state-standby = prête
nodes-state-away = injoignable
tuners-kind = Type
tuners-multiplex = Multiplex
tuners-held = Occupé jusqu’à
tuners-signal = Signal
tuners-signal-locked = verrouillé
tuners-signal-none = aucun
tuners-strength = Niveau du signal
tuners-dbm = { NUMBER($value, maximumFractionDigits: 1) } dBm
# Signal-to-noise ratio.
tuners-snr = Rapport signal/bruit
tuners-db = { NUMBER($value, maximumFractionDigits: 1) } dB
tuners-quality = Qualité du signal
tuners-blocks = Blocs perdus
tuners-trouble = Dernier problème
tuners-trouble-at = { $at } : { $what }
tuners-out-since = Hors service depuis
tuners-next-try = Prochain essai
tuners-received = Bilan de la réception
tuners-failed = Échecs
tuners-lock = Temps de verrouillage
tuners-errors = Erreurs
tuners-failed-of = { $failures } sur { $tries }
# Damaged packets in a million.
tuners-per-million = { $count } par million
tuners-disk = Disque des enregistrements
tuners-space-room = { $hours ->
    [0] Place pour moins d’une heure
    [one] Place pour environ 1 heure
    [many] Place pour environ { $hours } d’heures
   *[other] Place pour environ { $hours } heures
}
tuners-space-short = Trop petit pour ce qui est prévu
tuners-space-low = Presque plein
tuners-space-full = Plein : rien n’est enregistré
tuners-space-offline = Non connecté
tuners-space-left = Place restante
tuners-space-hours = { $hours ->
    [0] moins d’une heure de télévision
    [one] environ 1 heure de télévision
    [many] environ { $hours } d’heures de télévision
   *[other] environ { $hours } heures de télévision
}
tuners-free = Libre
tuners-free-of = { $free } sur { $total }
tuners-planned = À enregistrer
tuners-full = Plein
# Unless recordings are deleted.
tuners-full-never = pas de sitôt
tuners-full-plan = { $at }, avant la fin des enregistrements prévus
tuners-full-pace = { $day }, si vous continuez à ce rythme
tuners-recorder = Enregistreur
tuners-version = Version
tuners-since = En marche depuis
tuners-timers = Programmations reçues
tuners-timers-never = pas encore
tuners-reports = Rapports en attente
tuners-clock = Horloge
tuners-clock-right = à l’heure
tuners-clock-unsure = peut-être fausse
# The machine must not sleep then.
tuners-awake = Réveil au plus tard
tuners-data = Dossier de données


## Log

# What the recorder did, for those who look after it. Its lines are English.
log-about = L’activité de l’enregistreur, en anglais, pour la personne qui s’en occupe.
log-level = Lignes affichées
log-level-info = Toutes
log-level-warn = Alertes
log-level-error = Erreurs
log-line-info = info
log-line-warn = alerte
log-line-error = erreur
log-count = { $count ->
    [one] { $count } ligne
    [many] { $count } de lignes
   *[other] { $count } lignes
}
log-lines = Lignes du journal, les plus récentes d’abord
log-empty = Aucune ligne
log-empty-level = Aucune ligne de ce type depuis le démarrage de l’enregistreur. C’est bon signe.
log-empty-all = L’enregistreur n’a rien écrit depuis son démarrage.
log-show-all = Afficher toutes les lignes


## Player

player-title = Lecteur
player-video = Vidéo
player-recording = Enregistrement
player-live-television = Télévision en direct
player-play = Lecture
player-pause = Pause
player-stop = Arrêter la lecture
# $position is a time such as 42:10.
player-resume = Reprendre à { $position }
player-from-beginning = Depuis le début
player-next-episode = Épisode suivant : { $name }
player-other = Ouvrir dans VLC ou mpv
player-download = Télécharger
player-back = { $seconds ->
    [one] Reculer de { $seconds } seconde
    [many] Reculer de { $seconds } de secondes
   *[other] Reculer de { $seconds } secondes
}
player-forward = { $seconds ->
    [one] Avancer de { $seconds } seconde
    [many] Avancer de { $seconds } de secondes
   *[other] Avancer de { $seconds } secondes
}
# A button: to the newest picture of live television.
player-to-live = Direct
player-position = Position
# Both values are spoken times: 1 minute 5 seconds of 30 minutes.
player-position-of = { $position } sur { $length }
# $length is a spoken time.
player-missing = Passage manquant : { $length }
player-sound-on = Activer le son
player-sound-off = Couper le son
player-volume = Volume
player-floating = Image dans l’image
player-full = Plein écran
player-full-leave = Quitter le plein écran
player-speed = Vitesse
player-rate = { NUMBER($rate, maximumFractionDigits: 2) } ×
player-tuning = Recherche de la chaîne…
player-cannot = Ce navigateur ne peut pas lire cette vidéo, par exemple parce qu’elle est en MPEG-2. Utilisez un lecteur comme VLC.
player-no-index = L’enregistreur doit encore préparer cet enregistrement pour la lecture ; il le fera dès qu’il sera inactif. Réessayez plus tard, ou téléchargez le fichier.

# The choice between sound tracks.
player-sound = Piste audio
player-sound-number = Piste audio { $number }
player-sound-description = { $name } (audiodescription)
player-sound-codec = { $name } ({ $codec })
player-subtitles = Sous-titres
player-subtitles-off = Sans sous-titres
player-subtitles-hard-of-hearing = { $name } (sourds et malentendants)
# Another track with the same name.
player-track-again = { $name } ({ $number })

player-keys = Raccourcis clavier
player-key-space = Espace, k
player-key-toggle = lecture ou pause
player-key-skip = { $seconds ->
    [one] reculer ou avancer de { $seconds } seconde
    [many] reculer ou avancer de { $seconds } de secondes
   *[other] reculer ou avancer de { $seconds } secondes
}
player-key-jump = reculer de { $back } secondes, avancer de { $forward } secondes
player-key-volume = volume
player-key-mute = couper ou activer le son
player-key-full = plein écran
player-key-sound = piste audio suivante
player-key-subtitles = activer ou désactiver les sous-titres
player-key-speed = ralentir ou accélérer
player-key-digits = 0 à 9
player-key-part = aller au début, à 10 %, … à 90 %
player-key-help = afficher ou masquer ces raccourcis
player-key-escape = Échap
player-key-close = fermer


## Programme

programme-search = Rechercher : titres et résumés
programme-search-titles = Rechercher un titre
programme-day = Jour
programme-day-before = Jour précédent
programme-day-after = Jour suivant
programme-shows = { $count ->
    [one] { $count } programme
    [many] { $count } de programmes
   *[other] { $count } programmes
}
programme-results = Résultats de la recherche
programme-grid = Programmes par chaîne et par heure
# The tooltip of a show in the grid: News, Today 20:00–20:15
programme-show-at = { $title }, { $when }
# Several shows of a few minutes share one place in the grid: News, Weather
programme-short-shows = { $count ->
    [one] 1 programme court : { $titles }
    [many] { $count } de programmes courts : { $titles }
   *[other] { $count } programmes courts : { $titles }
}
programme-short-title = Programmes courts
# A channel that the guide no longer lists, by its number.
programme-channel-unknown = Chaîne { $id }
# Two looks: a list of what is on now and next, and a grid of channels and times
programme-look = Affichage du guide
programme-look-now = En ce moment
programme-look-grid = Grille
programme-nothing-now = Aucune information
programme-empty = Le guide ne contient aucune chaîne.
programme-empty-next = Les chaînes apparaîtront ici dès que le service de guide aura des données pour votre région.
# A button: it shows this time in the grid
programme-prime-time = Prime time
programme-genre = Genre
genre-movie = Films et séries
genre-news = Informations
genre-show = Divertissement
genre-sports = Sport
genre-children = Jeunesse
genre-music = Musique
genre-arts = Arts et culture
genre-society = Société et politique
genre-education = Éducation et sciences
genre-leisure = Loisirs


## Show

show-channel = Chaîne
show-time = Horaire
show-episode = Épisode
show-categories = Catégories
show-record = Enregistrer
show-record-it = Enregistrer { $title }
# Notice after a click on Record.
show-booked = Enregistrement programmé.
# $names: one or more channels.
show-unreceived = Enregistrement programmé, mais aucun tuner ne reçoit { $names } : rien ne pourra y être enregistré. Associez un service sur la page Tuners.
show-cancel = Annuler l’enregistrement
show-cancelled = Enregistrement annulé.
show-series = Enregistrer toute la série
show-series-of = Enregistrer toute la série : { $title }
show-series-booked = Chaque épisode sera enregistré, une seule fois. Voir la page Règles.
show-favourite = Ajouter aux favoris
show-favourite-added = Ajouté aux favoris. Voir la page Règles.
# Searches for all broadcasts with this title.
show-alike = Toutes les diffusions
# $state: what the guide server knows of the timer, from its recorder or box.
show-booked-on = { $state ->
    [running] Programmé sur { $device }. L’enregistrement est en cours.
    [completed] Enregistré sur { $device }.
    [failed] Programmé sur { $device }. L’enregistrement a échoué.
    [missing] Programmé sur { $device }, mais la programmation n’y est plus.
   *[other] Programmé sur { $device }.
}
show-cancel-on = Annuler sur { $device }


## Series and keywords

series-recorded-hint = Chaque épisode est enregistré, une seule fois.
series-keywords-hint = Tout programme dont le titre contient tous ces mots est enregistré, chaque épisode une seule fois.
series-remove-favourite = Retirer { $title }
series-favourite-removed = Favori retiré.
series-any-channel = Toutes les chaînes
# Channel and time of day: BBC One, about 20:15
series-channel-about = { $channel }, vers { $time }
series-quality = Qualité
series-prefer-hd = HD de préférence
series-hd-only = HD uniquement
series-prefer-sd = SD de préférence
series-sd-only = SD uniquement
series-save = Appliquer
series-saved = Modifications appliquées.
series-stop = Ne plus enregistrer
series-stop-question = Ne plus enregistrer { $name } ? Les programmations de cette règle seront annulées. Les enregistrements existants sont conservés.
series-stopped = Il n’y aura plus d’enregistrement pour { $name }.


## Rules

rules-new = Nouvelle règle
rules-empty = Aucune règle
rules-empty-next = Créez une règle, ou choisissez un programme dans le <link>guide</link> et enregistrez toute la série.
# What kind of entry a row of the list is.
rules-kind-series = Série
rules-kind-keyword = Mot-clé
rules-kind-favourite = Favori
rules-paused = En pause
# The next recording: Next: Today 20:15 on BBC One
rules-next = Prochain : { $at } sur { $channel }
rules-next-none = Aucun enregistrement prévu
rules-change = Modifier
rules-favourite-line = Simplement marqué : rien n’est enregistré.
# A rule in one line: New episodes on BBC One, weekdays after 18:00, keep the newest 5
rules-line-and = { $first }, { $more }
rules-line-what = { $what ->
    [new] Nouveaux épisodes
    [first] Première diffusion de chaque épisode
    [new-first] Première diffusion de chaque nouvel épisode
   *[all] Tous les programmes
}
rules-line-what-on = { $what ->
    [new] Nouveaux épisodes sur { $channels }
    [first] Première diffusion de chaque épisode sur { $channels }
    [new-first] Première diffusion de chaque nouvel épisode sur { $channels }
   *[all] Tous les programmes sur { $channels }
}
# The end of a list of channels: BBC One, BBC Two and 3 others
rules-line-others = { $count ->
    [one] 1 autre
   *[other] { $count } autres
}
rules-line-words = { $place ->
    [all] « { $words } » dans le titre ou la description
   *[title] « { $words } » dans le titre
}
rules-line-expression = { $place ->
    [all] titre ou description conforme à { $expression }
   *[title] titre conforme à { $expression }
}
rules-line-series = une série du guide
rules-line-genres = genre : { $genres }
rules-line-without = sans « { $words } »
rules-line-weekdays = du lundi au vendredi
rules-line-weekend = le week-end
rules-line-after = à partir de { $from }
rules-line-before = avant { $until }
rules-line-between = entre { $from } et { $until }
# weekdays after 18:00
rules-line-days-and-time = { $days } { $time }
# The length of a show
rules-line-least = au moins { $least }
rules-line-most = au plus { $most }
rules-line-length = de { $least } à { $most }
rules-line-keep = { $count ->
    [one] garder le plus récent
   *[other] garder les { $count } plus récents
}
rules-field-words = Mots du titre
rules-field-words-all = Mots du titre ou de la description
rules-field-words-hint = Tous, dans n’importe quel ordre ; les guillemets gardent les mots ensemble
rules-field-expression = Expression régulière
rules-field-expression-hint = Un modèle pour plusieurs titres : ^(Journal|Météo)
rules-field-channels = Chaînes
rules-channels-find = Chercher une chaîne
rules-field-new = Nouveaux épisodes uniquement
rules-more = Plus de conditions
rules-group-show = Le programme
rules-group-time = L’horaire
rules-group-recording = L’enregistrement
rules-field-name = Nom de la règle
rules-field-all-text = Chercher aussi dans le sous-titre et la description
rules-field-without = Mots exclus
rules-field-without-hint = Aucun ne doit figurer dans le titre ou la description ; les guillemets gardent les mots ensemble
rules-field-genres = Genres
rules-field-categories = Autres catégories du guide
rules-field-categories-hint = Séparées par des virgules
rules-field-days = Jours
rules-field-from = Débute à partir de
rules-field-until = Débute avant
rules-field-min = Durée minimale (minutes)
rules-field-max = Durée maximale (minutes)
rules-field-first = Première diffusion de chaque épisode uniquement
rules-field-keep = Enregistrements à garder
rules-field-keep-hint = Un nouveau remplace le plus ancien
rules-field-priority = Priorité (0 à 100)
rules-field-folder = Dossier
rules-field-folder-hint = Dans le dossier des enregistrements : Films/Dimanche
rules-field-paused = En pause : n’enregistre rien pour l’instant
rules-preview = Aperçu
rules-preview-start = Indiquez des mots, une expression ou un genre pour voir ce qui serait enregistré.
rules-preview-looking = Recherche de programmes…
rules-preview-none = Aucun programme des deux prochaines semaines ne correspond.
rules-preview-records = { $records ->
    [one] Enregistre { $records } programme sur { $total } dans les deux prochaines semaines.
   *[other] Enregistre { $records } programmes sur { $total } dans les deux prochaines semaines.
}
rules-preview-paused = { $records ->
    [one] En pause : elle enregistrerait { $records } programme sur { $total } dans les deux prochaines semaines.
   *[other] En pause : elle enregistrerait { $records } programmes sur { $total } dans les deux prochaines semaines.
}
rules-preview-many = Tant de programmes correspondent que seuls ceux d’avant { $at } sont comptés : enregistre { $records } programmes sur { $total }.
rules-preview-unidentified = { $count ->
    [one] Le guide n’identifie pas l’épisode de l’un d’entre eux : sa rediffusion serait enregistrée de nouveau.
   *[other] Le guide n’identifie pas l’épisode de { $count } d’entre eux : leurs rediffusions seraient enregistrées de nouveau.
}
rules-preview-displaced = D’autres enregistrements seraient incomplets :
# News, Today 20:00–20:15: 5 min missing
rules-preview-loses = { $title }, { $when } : { $lost } en moins
rules-preview-loses-all = { $title }, { $when } : pas d’enregistrement
rules-preview-unplaced = Aucun tuner n’est libre pour :
# A show with its time: News, Today 20:00
rules-preview-at = { $title }, { $at }
rules-preview-space = Nécessite environ { $needs } sur le disque ; { $free } sont libres.
rules-preview-no-space = Nécessite environ { $needs } sur le disque, mais seuls { $free } sont libres.
rules-preview-first = Seuls les { $count } premiers sont affichés.
rules-preview-list = Programmes correspondants
rules-saved-exceeds = La règle est sauvegardée, mais certains programmes ne pourront pas être enregistrés.
# Chips: what becomes of a show that fits a rule.
rules-fate-records = À enregistrer
rules-fate-noTuner = Pas de tuner
rules-fate-ordered = Déjà programmé
rules-fate-otherAiring = Autre diffusion
rules-fate-recorded = Déjà enregistré
rules-fate-declined = Annulé
rules-fate-repeat = Rediffusion
rules-fate-later = Diffusion ultérieure
rules-fate-noRoom = Limite atteinte
rules-reason-noTuner = À cette heure, tous les tuners sont occupés.
rules-reason-unidentified = Le guide n’indique pas de quel épisode il s’agit.
rules-reason-ordered = Vous ou une autre règle l’avez programmé.
rules-reason-otherAiring = Une autre diffusion de cet épisode est enregistrée.
rules-reason-recorded = Cet épisode a déjà été enregistré.
rules-reason-declined = Vous avez annulé l’enregistrement de cet épisode.
rules-reason-repeat = C’est une rediffusion, et la règle ne retient que les nouveaux épisodes.
rules-reason-later = La règle ne retient que la première diffusion.
rules-reason-noRoom = Le compte a atteint une limite.
# A button at a show: opens the dialog of a rule with the show’s title and channel.
rules-from-show = Règle pour ce programme…
# A button beside the results of a search.
rules-from-search = Créer une règle…
# What is wrong with a field of the dialog.
rules-mistake-name = Le nom manque ou est trop long.
rules-mistake-words = Ces mots sont trop longs ou n’ont ni lettre ni chiffre.
rules-mistake-expression = Cette expression est inutilisable : vérifiez ses parenthèses. Elle est peut-être trop longue, ou utilise une fonction non prise en charge, comme (?=…).
rules-mistake-number = Ce nombre est trop petit, trop grand ou n’est pas un nombre entier.
rules-mistake-folder = Écrivez des noms séparés par /, sans caractères spéciaux : Films/Dimanche


## Channels and listings

channels-search = Rechercher une chaîne
channels-count = { $count ->
    [one] { $count } chaîne.
    [many] { $count } de chaînes.
   *[other] { $count } chaînes.
} Dans une grille, mais pas dans le guide : { $unmatched }. Sans grille : { $bare }.
channels-unmatched = Dans une grille, mais absentes du guide
channels-unmatched-list = Chaînes de grilles non associées
channels-in-guide = Dans le guide
channels-in-guide-list = Chaînes du guide
channels-no-programmes = Aucun programme
channels-until = Programmes connus jusqu’à : { $at }
# The channel number on the remote control; several are separated by commas.
channels-number = Numéro { $number }
# The triplet names a service of a DVB network: three numbers.
channels-no-triplet = Sans triplet
channels-no-listing = Sans grille
channels-listed-as = Dans la grille
channels-is = Chaîne
channels-matched = Association
channels-note = Remarque
channels-set = Réglage manuel
channels-pending = Les grilles sont en cours de lecture avec ce réglage. Revenez dans un instant.
channels-target = Chaîne du guide
# ONID/TSID/SID is a triplet; lcn, name and ignore are typed as they stand here.
channels-target-text = Ou ONID/TSID/SID, lcn N, name NOM, ou ignore
channels-use = Utiliser cette chaîne
channels-used = Réglage appliqué. Les grilles sont de nouveau en cours de lecture.
channels-automatic = Associer automatiquement
channels-automatic-done = La chaîne est de nouveau associée automatiquement.
channels-owners-only = Seuls les propriétaires du premier compte de ce serveur peuvent associer les chaînes des grilles.
# How a channel of a listing was matched with one of the guide.
channels-by-table = à la main
channels-by-before = comme avant
channels-by-triplet = par triplet
channels-by-name = par nom
channels-by-short-name = par nom court
channels-by-known-name = par nom connu
channels-by-lcn = par numéro de chaîne
channels-by-new = ajoutée comme chaîne
channels-by-ignored = ignorée
channels-by-taken = chaîne du guide déjà associée à une autre
listings-title = Grilles de programmes
listings-one = Grille { $name }
listings-unread = Cette grille n’a pas encore été lue.
listings-read = { $programmes ->
    [one] { $programmes } programme
    [many] { $programmes } de programmes
   *[other] { $programmes } programmes
}, lecture : { $at } ; { $flaws ->
    [0] aucun défaut
    [one] 1 défaut
    [many] { $flaws } de défauts
   *[other] { $flaws } défauts
}.
# $reason is technical and in English.
listings-unreadable = Grille illisible depuis : { $at }. Son contenu précédent reste utilisé. Cause : { $reason }
listings-pending = Cette grille est de nouveau en cours de lecture. Revenez dans un instant.
listings-flaw = { $kind ->
    [ampersand] Un & isolé
    [less-than] Un < isolé
    [entity] Une entité inconnue
    [character] Un caractère interdit
    [encoding] Un encodage de caractères erroné
    [tag] Une balise incorrecte
    [element] Un élément mal placé
    [channel] Une chaîne incorrecte
    [time] Une heure incorrecte
    [zone] Une heure sans fuseau horaire
    [stop] Une fin absente ou incorrecte
    [overlap] Des programmes qui se chevauchent
    [duplicate] Un programme en double
    [title] Un titre absent
    [number] Un numéro d’épisode incorrect
   *[other] Un défaut
}, { $count ->
    [one] { $count } fois
    [many] { $count } de fois
   *[other] { $count } fois
}{ $leftOut ->
    [0] .
   *[other] , éléments écartés : { $leftOut }.
}
# $reason is technical and in English.
listings-line = Ligne { $line } : { $reason }
listings-zone = Heures de la grille { $name }
listings-zone-stated = Selon la grille
listings-zone-set = Appliquer
listings-zone-done = La grille { $name } est de nouveau en cours de lecture, avec ce fuseau horaire.
reception-none-yet = L’enregistreur n’a pas encore récupéré les chaînes du guide.
reception-all = { $count ->
    [one] La seule chaîne du guide est reçue.
    [many] Les { $count } de chaînes du guide sont toutes reçues.
   *[other] Les { $count } chaînes du guide sont toutes reçues.
}
reception-some = { $missing ->
    [one] { $missing } chaîne du guide sur { $count } n’est reçue par aucun tuner.
    [many] { $missing } de chaînes du guide sur { $count } ne sont reçues par aucun tuner.
   *[other] { $missing } chaînes du guide sur { $count } ne sont reçues par aucun tuner.
}
reception-missing = Chaînes non reçues
reception-missing-list = Chaînes non reçues
# $services: triplets, each three numbers.
reception-why = { $name } : aucun tuner ne reçoit { $services }.
reception-why-unknown = { $name } : aucun tuner ne propose de service avec ce numéro ou ce nom.
reception-service = Service pour { $name }
reception-assign = Associer { $name }
reception-assigned = Service associé à { $name } : { $service }.
reception-watch-live = Regarder en direct
reception-list = Chaînes reçues
# $channel: number and name.
reception-watch = Regarder { $channel }
reception-by-hand = Associées à la main
reception-is = { $name } : { $service }
reception-automatic = Associer { $name } automatiquement
reception-automatic-done = { $name } : l’association est de nouveau automatique.


## Devices

devices-none = Aucun pour l’instant. Un décodeur ou un enregistreur apparaît ici quand il se connecte avec votre compte.
devices-silent-after = { $days ->
    [one] Un appareil est marqué « sans contact » après { $days } jour de silence.
    [many] Un appareil est marqué « sans contact » après { $days } de jours de silence.
   *[other] Un appareil est marqué « sans contact » après { $days } jours de silence.
}
devices-silent = sans contact
devices-model = Modèle
devices-number = Numéro
devices-identity = Identifiant
devices-last-contact = Dernier contact
devices-never = Jamais connecté
devices-name = Nom
devices-rename = Renommer
devices-renamed = Nom modifié.
devices-remove = Supprimer
devices-remove-question = Supprimer { $name } ? Un décodeur qui se reconnecte réapparaît ici.
devices-removed = Appareil supprimé.
devices-details = Réception et journal
devices-not-scanned = Cet appareil n’a signalé aucune recherche des chaînes.
devices-scanned = { $count ->
    [one] { $count } service reçu. Recherche des chaînes : { $at }.
    [many] { $count } de services reçus. Recherche des chaînes : { $at }.
   *[other] { $count } services reçus. Recherche des chaînes : { $at }.
}
devices-receives-all = Toutes les chaînes de la région en font partie.
devices-not-received = { $count ->
    [one] { $count } chaîne de la région n’a pas été trouvée : { $names }.
    [many] { $count } de chaînes de la région n’ont pas été trouvées : { $names }.
   *[other] { $count } chaînes de la région n’ont pas été trouvées : { $names }.
}
devices-no-log = Cet appareil n’a pas envoyé son journal.
devices-log = Dernières lignes de son journal, les plus récentes d’abord
# Chooses the device that records.
devices-recorded-by = Enregistrer sur


## Users

users-hint = Chaque personne a un nom et un mot de passe. Les décodeurs et les enregistreurs se connectent eux aussi en tant qu’utilisateurs : créez un membre pour chacun.
users-add-title = Ajouter un utilisateur
users-add = Ajouter
users-name = Nom
users-rights = Droits
users-may-owner = Propriétaire : peut tout faire et gérer les utilisateurs
users-may-member = Membre : peut consulter, programmer et gérer les décodeurs
users-may-viewer = Observateur : peut seulement consulter
# Marks of a user.
users-role-owner = propriétaire
users-role-member = membre
users-role-viewer = observateur
users-you = vous
users-since = Création
users-sessions = Appareils connectés
users-timers = Programmations
users-rules = Séries et mots-clés
users-give = Modifier les droits
users-given = { $name } a maintenant ces droits et doit se reconnecter.
users-remove = Supprimer
users-remove-question = Supprimer { $name } ? L’utilisateur et tous ses décodeurs seront déconnectés immédiatement. Ses programmations et ses règles sont conservées.
users-removed = Utilisateur supprimé.
users-change-password = Changer le mot de passe…
users-new-password = Nouveau mot de passe pour { $name }
users-set-password = Définir le mot de passe
users-password-set = { $name } a un nouveau mot de passe et doit se reconnecter.


## Signing in

sign-in-verb = Se connecter
sign-in-guide-server = Serveur de guide
sign-in-name = Nom
sign-in-email = Adresse e-mail
sign-in-name-or-email = Nom ou adresse e-mail
sign-in-password = Mot de passe
sign-in-new-password = Mot de passe, 8 caractères au moins
sign-in-region = Région
sign-in-create = Créer le compte
sign-in-create-instead = Créer un compte…
sign-in-have-account = J’ai déjà un compte
# The words in angle brackets are a file name.
sign-in-no-account = Il n’y a pas encore de compte. Pour en créer un, ouvrez le lien contenu dans le fichier <code>first-account</code> du dossier de données du serveur ; seul le propriétaire de ce fichier peut le lire.
sign-in-first-account = Il n’y a pas encore de compte. Créez-en un pour votre foyer. Les enregistreurs et les décodeurs se connecteront avec ce même compte.
sign-in-another-account = Créez un compte pour votre foyer. Les enregistreurs et les décodeurs se connecteront avec ce même compte.
sign-in-wrong = Le nom ou le mot de passe est incorrect.
sign-in-link-used = Ce lien a déjà servi ou a expiré. Demandez-en un nouveau.
sign-in-no-user = Aucun utilisateur n’a encore de mot de passe.
sign-in-no-password = Pas de mot de passe ?
# Commands stand in angle brackets; translate NAME.
sign-in-by-command = Sur la machine de l’enregistreur, <code>recorderd web open</code> affiche un lien qui connecte un navigateur, et <code>recorderd web password NOM</code> définit le mot de passe d’un utilisateur.
sign-in-not-set-up = Cet enregistreur n’est pas encore configuré. <code>recorderd setup --web</code> a affiché un lien dans son terminal ou son journal. Le code est la partie qui suit <code>#link=</code>. Il ne sert qu’une fois.
sign-in-code = Code


## Setting up

# Title of the window.
setup-page = Configuration
setup-title = Configurer l’enregistreur
setup-steps = Étapes
setup-step-guide = Service de guide
setup-step-recorder = Région et appareil
setup-step-tuners = Tuners
setup-step-recordings = Enregistrements
setup-step-user = Utilisateur
setup-step-check = Vérifier et démarrer
setup-continue = Continuer
setup-more = Plus d’options
setup-timers-from = D’où viennent vos programmations ?
setup-guide-own = De mon propre service de guide, sur cette machine
setup-guide-other = D’un autre service de guide
setup-guide-address = Adresse
setup-account = Votre compte
setup-account-hint = Sans compte, rien n’est enregistré. Vous pouvez aussi vous connecter plus tard.
setup-account-own = Pour créer un compte, ouvrez la page de votre service de guide : port { $port } de cette machine.
setup-api-key = Clé API du service
setup-api-key-hint = Seuls certains services en exigent une. Leur exploitant la fournit.
setup-join = Rejoindre un groupe d’enregistreurs
setup-join-hint = Exécutez recorderd fleet invite sur un autre enregistreur du groupe, puis collez ici le texte affiché.
setup-join-invitation = Invitation
setup-join-node = Nom de cet enregistreur dans le groupe (vide : celui de la machine)
setup-join-verb = Rejoindre
setup-join-database-hint = Ou indiquez la base de données du groupe, puis répondez ici aux autres questions.
setup-join-database = Adresse de la base de données
setup-join-password = Mot de passe de la base de données
setup-join-secret = Secret du groupe (vide : cet enregistreur reste en attente)
setup-join-stored = La base de données est notée. Répondez maintenant aux autres questions.
setup-time-zone = Fuseau horaire
setup-device = À enregistrer
setup-device-new = Les programmations d’un nouvel appareil : cet enregistreur sera déclaré auprès du service
setup-device-all = Les programmations de tous les appareils du compte
setup-device-one = Les programmations de l’appareil { $device }
setup-tuners-used = Tuners qui seront utilisés
setup-tuner = { $kind }, { $place }
setup-tuner-trying = Test de la réception…
setup-tuner-untried = Pas encore testé.
setup-tuner-works = Fonctionne : image ou son après { $time } sur { $channel }. Ce tuner offre { $received } des { $count } chaînes du guide.
setup-tuner-sign-in = Son serveur demande un nom d’utilisateur et un mot de passe, ou refuse ceux qui ont été saisis.
setup-tuner-scan = { $frequencies ->
    [one] Sa liste n’a pas de triplets pour { $frequencies } fréquence : le tuner l’explorera quand aucun enregistrement n’aura besoin de lui.
    [many] Sa liste n’a pas de triplets pour { $frequencies } de fréquences : le tuner les explorera quand aucun enregistrement n’aura besoin de lui.
   *[other] Sa liste n’a pas de triplets pour { $frequencies } fréquences : le tuner les explorera quand aucun enregistrement n’aura besoin de lui.
}
setup-tuner-none = Ce tuner ne reçoit aucune des { $count } chaînes du guide.
# $examples: names of some of the services.
setup-tuner-others = Ce tuner ne reçoit aucune des { $count } chaînes du guide. Il offre { $services ->
    [one] { $services } service
    [many] { $services } de services
   *[other] { $services } services
}, par exemple { $examples } : associez-les à des chaînes sur la page Tuners.
setup-tuner-silent = { $channel } : ni image ni son n’ont été reçus.
# $reason is a whole sentence.
setup-tuner-not-received = Chaîne non reçue : { $channel }. Cause : { $reason }
setup-tuner-user = Nom d’utilisateur pour { $place }
setup-tuner-password = Mot de passe pour { $place }
setup-tuner-sign-in-verb = Se connecter à { $id }
setup-tuner-try = Tester { $id } à nouveau
setup-tuner-remove = Retirer { $id }
setup-tuner-removed = Tuner retiré.
setup-look = Rechercher des tuners
setup-looked = La recherche est terminée.
setup-found-none = Aucune carte DVB n’est installée dans la machine, et aucun serveur ne répond sur ses réseaux.
setup-found = Tuners trouvés
# $tuner: kind, address and name of a tuner that was found.
setup-use = Utiliser { $tuner }
setup-add-by-hand = Ajouter un tuner par son adresse
setup-add = Ajouter et tester
setup-kind = Type de tuner
setup-channel-list = Liste de chaînes, un fichier sur la machine de l’enregistreur
setup-channel-list-optional = Liste de chaînes, un fichier sur la machine de l’enregistreur (facultatif)
setup-simulator = Essayer recorderd sans tuner
setup-simulator-hint = Le diffuseur simulé remplace l’antenne. Démarrez-le avec <code>recorderd broadcaster</code>.
setup-simulator-add = Ajouter le simulateur
setup-kind-hdhomerun = HDHomeRun
setup-kind-satip = Serveur SAT>IP
setup-kind-tvheadend = Tvheadend
setup-kind-enigma2 = Récepteur Enigma2
setup-kind-mirakurun = Mirakurun
setup-kind-dvb = Carte DVB de la machine de l’enregistreur
setup-kind-url = Liste IPTV (M3U)
setup-kind-file = Fichier de flux de transport
setup-kind-mock = Diffuseur simulé
setup-place-hdhomerun = Adresse de l’appareil
setup-place-satip = Nom ou adresse du serveur
setup-place-tvheadend = Adresse du serveur
setup-place-enigma2 = Adresse du récepteur
setup-place-mirakurun = Adresse du serveur
setup-place-dvb = Numéro de la carte
setup-place-url = Chemin de la liste M3U
setup-place-file = Chemin du fichier
setup-place-mock = Adresse du diffuseur
setup-folder = Dossier des enregistrements, sur la machine de l’enregistreur
setup-before = Secondes à enregistrer avant chaque programme
setup-after = Secondes à enregistrer après chaque programme
setup-user-hint = Ce nom et ce mot de passe vous servent à vous connecter quand vous ouvrez cet enregistreur depuis une autre machine.
setup-check-account = Compte
setup-check-no-account = Aucun. Vous pouvez vous connecter plus tard.
setup-check-device = À enregistrer
setup-check-padding = Marges
setup-padding = { $before } avant, { $after } après
setup-folder-there = { $folder } ; espace libre : { $free }
setup-folder-new = { $folder }, à créer ; espace libre : { $free }
setup-check-user = Utilisateur
setup-check-fleet = Groupe
setup-check-commands = Commandes que l’enregistreur exécutera
setup-check-file = Fichier de configuration
setup-write = Valider et démarrer
setup-written = La configuration est sauvegardée.
setup-starting = La configuration est sauvegardée. L’enregistreur démarre…
# Refused answers. $reason is technical and in English.
setup-refused-address = Saisissez une adresse comme https://guide.example/api, sans nom d’utilisateur.
setup-refused-tuner = Ce tuner est inutilisable. Vérifiez son adresse et sa liste de chaînes : { $reason }
setup-refused-tuner-password = Le serveur refuse ce nom d’utilisateur ou ce mot de passe.
setup-refused-folder-path = Saisissez un chemin absolu, par exemple /srv/recordings.
setup-refused-folder-system = Ce dossier appartient au système. Choisissez un dossier réservé aux enregistrements.
setup-refused-folder-file = Le chemin mène à un fichier, pas à un dossier.
setup-refused-folder-new = Ce dossier n’existe pas et ne peut pas être créé. Créez-le sur la machine de l’enregistreur.
setup-refused-folder-forbidden = L’enregistreur n’a pas le droit d’écrire dans ce dossier. Accordez-lui ce droit, ou choisissez un autre dossier.
setup-refused-folder-full = L’espace libre y est insuffisant. Choisissez un autre disque.
setup-refused-written = Un fichier de configuration existe désormais. Il reste inchangé.
setup-refused-invitation = Cette invitation est incomplète. Copiez tout le texte.
setup-refused-fleet = Cet enregistreur ne peut pas rejoindre le groupe : { $reason }


## Guide service

guide-service-timers = Programmations
guide-service-timers-at = Mise à jour : { $at }
guide-service-no-timers = Pas encore reçues
guide-service-trouble = Problème
guide-service-since = Depuis : { $at }
guide-service-again = Reconnecter l’enregistreur
guide-service-hint = Utilisez le compte du service de guide. L’enregistreur mémorise un jeton, pas le mot de passe.
guide-service-done = L’enregistreur est connecté au service de guide.
guide-service-done-until = L’enregistreur est connecté au service de guide (fin de validité : { $day }).
# States of the recorder's sign-in.
guide-service-sign-in-needed = connexion requise
guide-service-unreachable = injoignable
guide-service-not-asked = pas encore interrogé
guide-service-signed-in = connecté


## Notifications

# Line below the title: Today 20:15–21:45, ABC
notification-show = { $when }, { $channel }

notification-recorded-title = Enregistré : { $name }
notification-damaged-title = Enregistré avec des défauts : { $name }
# 97.5 % of the programme was recorded (3.6 GB).
notification-share = L’enregistrement contient { $share } du programme ({ $size }).
notification-share-unknown = La part du programme enregistrée est inconnue ({ $size }).
notification-errors = { $count ->
    [0] Aucune erreur dans l’image ni le son.
    [one] 1 erreur dans l’image ou le son.
    [many] { $count } d’erreurs dans l’image ou le son.
   *[other] { $count } erreurs dans l’image ou le son.
}
# $spans: 20:15:30–20:16:00 and 21:00:02–21:00:05
notification-gaps = Passages manquants : { $spans }
notification-gaps-picture = Sans image : { $spans }
notification-gaps-sound = Sans son : { $spans }

notification-not-recorded-title = Non enregistré : { $name }
notification-nothing-left = Des images ou du son ont été reçus, mais il n’en reste rien sur le disque.
notification-missed = L’enregistreur n’a pas pu démarrer l’enregistrement à temps. Il était peut-être éteint.

# Two recordings want the same tuner.
notification-conflict-title = Conflit : { $name }
notification-conflict-busy = Aucun tuner n’est libre à ce moment.
# $recordings: Tatort (20:15–21:45) and News (20:00–20:15)
notification-conflict-holders = Les tuners sont occupés par : { $recordings }
notification-holder = { $name } ({ $when })
notification-conflict-choice = Choisissez dans le tableau de bord ce qu’il faut enregistrer.

notification-repeat-booked-title = Rediffusion programmée : { $name }
notification-repeat-booked = Cette rediffusion sera enregistrée : { $when }, { $channel }
# The first recording was damaged or missing, and a repeat replaced it.
notification-healed-title = Finalement complet : { $name }
notification-healed = Cette rediffusion a été enregistrée sans défaut : { $when }, { $channel }

notification-file-title = Enregistrement endommagé : { $name }
notification-file-changed = Le fichier a été modifié après l’enregistrement.
notification-file-truncated = Une partie du fichier manque.
notification-file-unreadable = Le disque ne peut pas lire le fichier.
notification-file-sizes = Sa taille est de { $size } au lieu de { $whole }.
notification-file-kept = recorderd laisse le fichier en l’état : { $file }

notification-disk-low-title = Le disque est presque plein
notification-disk-low = Les enregistrements qui ne tiennent plus sur le disque cèdent la place à de plus importants. Supprimez ceux dont vous n’avez plus besoin.
notification-disk-full-title = Le disque est plein
notification-disk-full = Rien n’est enregistré tant qu’il n’y a pas de place. Supprimez les enregistrements dont vous n’avez plus besoin.
notification-disk-offline-title = Le disque des enregistrements est absent
notification-disk-offline = Rien n’est enregistré tant que le disque n’est pas de retour.
# The disk with the recorder's own files, not the one with recordings.
notification-reserve-title = Le disque du dossier de données est plein
notification-reserve = L’enregistreur continue avec une petite réserve. Libérez de la place sur ce disque.
notification-data-title = Impossible d’écrire dans le dossier de données
notification-data = Les enregistrements en cours continuent, mais aucun autre ne démarre. Vérifiez le disque du dossier de données.

notification-sign-in-title = Connexion requise
notification-sign-in = Le service de guide vous demande de vous reconnecter dans le tableau de bord. D’ici là, aucune nouvelle programmation n’arrive.
notification-guide-failed-title = Le service de guide est inutilisable
notification-guide-failed = Durée de la panne : { $duration }. Les enregistrements prévus ne sont pas affectés, mais aucune nouvelle programmation n’arrive.
notification-guide-shrunk-title = Le service de guide a perdu des programmations
notification-guide-shrunk = Sa liste n’a plus que { $listed } des { $held } programmations à venir. L’enregistreur les garde toutes tant que leur suppression n’est pas certaine.
notification-secrets-title = Le fichier des secrets est inutilisable
notification-secrets-earlier = Les mots de passe précédents restent utilisés jusqu’au redémarrage de l’enregistreur.
notification-secrets-none = Les enregistrements restent prévus, mais aucune nouvelle programmation n’arrive, et les tuners à mot de passe ne fonctionnent pas.

notification-tuner-title = Le tuner { $tuner } ne fonctionne pas
notification-tuner = Il a échoué plusieurs fois de suite. Le planning ne compte plus sur lui jusqu’à ce qu’il fonctionne de nouveau.
notification-clock-title = L’horloge de l’enregistreur est peut-être fausse
notification-clock = Vérifiez la date et l’heure de la machine. Tant qu’elles sont fausses, l’enregistreur n’arrête aucun enregistrement d’après cette horloge.
notification-woke-late-title = La machine s’est réveillée trop tard
notification-woke-late-wanted = Réveil prévu : { $time }
notification-woke-late-came = Réveil effectif : { $time }

# A piece of work took all of the computing time.
notification-set-aside-title = L’enregistreur s’est bloqué et a redémarré
notification-set-aside-rest = La tâche qui l’a bloqué est suspendue pendant { $duration }.
notification-work-guide-document = Pendant ce temps, un processus séparé lit ce type de document.
notification-work-guide-list = Pendant ce temps, l’enregistreur ne récupère pas cette liste et garde ce qu’il a déjà.
notification-work-decision = Cette tâche est maintenue, car des enregistrements en dépendent.
notification-work-hook = Pendant ce temps, les hooks de cet enregistrement attendent.
notification-work-broadcast-guide = Pendant ce temps, les données de programmes diffusées ne sont pas collectées.
notification-work-stored-document = Cette tâche est maintenue, car l’enregistreur en dépend.
# $work: a technical name, always in English
notification-set-aside-work = Pour l’assistance : { $work }

# Reasons of a failure, each on a line of its own
notification-why-busy = Tous les tuners étaient occupés.
notification-why-in-use = Un autre logiciel utilisait le tuner.
notification-why-channel = L’enregistreur ne sait pas comment recevoir cette chaîne. Associez-la à un service sur la page Tuners.
notification-why-none = Aucun tuner ne peut recevoir cette chaîne.
notification-why-clock = L’horloge de l’enregistreur n’était pas à l’heure à ce moment-là.
notification-why-signal = Le tuner n’a pas de signal. Vérifiez l’antenne et son câble.
notification-why-tuner-gone = Le tuner ne répond pas. Vérifiez son alimentation et sa connexion au réseau.
notification-why-tuner-password = Le serveur du tuner refuse le mot de passe.
notification-why-silent = Ni image ni son n’ont été reçus.
# A part of the programme was recorded.
notification-why-interrupted = La réception a été interrompue.
notification-why-wrong = Le tuner a fourni une autre chaîne.
notification-why-encrypted = La chaîne est cryptée.
notification-why-excess = Le tuner a fourni des données plus vite qu’aucune chaîne ne le peut.
notification-why-capture = L’enregistrement a été interrompu par une erreur de l’enregistreur.
notification-why-full = Le disque était plein.
notification-why-write = L’enregistrement n’a pas pu être écrit sur le disque.
notification-why-storage = Le disque des enregistrements ne répondait pas.
notification-why-guide-gone = Il ne répond pas. Vérifiez le réseau et la connexion à Internet.
notification-why-guide-certificate = Son certificat n’est pas valide.
notification-why-guide-errors = Il répond par des erreurs.
notification-why-log = La cause est indiquée dans le journal de l’enregistreur.

notification-test-title = Test de recorderd
notification-test = Ceci est un test de recorderd : les notifications arrivent bien ici.
notification-mail-subject = recorderd : { $title }
# Name of the entity in Home Assistant
notification-entity = Messages
# Last line of an e-mail: Today 20:15 (Europe/Berlin)
notification-mail-time = { $when } ({ $zone })


## Messages to the guide service

# A guide service shows them beside a timer, in at most 500 letters.
# $tuner: the name of a tuner. $span: 20:05–21:40. $at, $since, $time: a time of day, such as 20:05 or 20:05:30.
report-scheduled = Prévu sur le tuner { $tuner }, { $span }.
report-no-tuner = Aucun tuner n’est libre.
report-interrupted = Interrompu.
report-trying = L’enregistreur continue d’essayer jusqu’à la fin, { $span }.
# $late: a length, such as 40 s; “none” if it began in time.
report-recording = Enregistrement en cours sur le tuner { $tuner } depuis { $since }{ $late ->
    [none] { "" }
   *[other] , avec { $late } de retard
}{ $interruptions ->
    [0] { "" }
    [1] , interrompu une fois
   *[other] , interrompu { $interruptions } fois
}.
report-withdrawn = Annulé.
report-withdrawn-kept = Annulé. La partie déjà enregistrée est conservée.
report-order-kept = La programmation précédente reste valable.
# $reason is technical and in English.
report-not-understood = Programmation illisible : { $reason }

# $figures is a list: 97 % of the event, 3.00 GB, no errors
report-recorded = Enregistré{ $verdict ->
    [perfect] , parfait
    [good] , bon
    [damaged] , endommagé
    [unusable] , inutilisable
   *[none] { "" }
} : { $figures }.
report-recorded-part = Enregistré en partie seulement{ $verdict ->
    [perfect] , parfait
    [good] , bon
    [damaged] , endommagé
    [unusable] , inutilisable
   *[none] { "" }
} : { $figures }.
report-recorded-unverified = Enregistré, mais non vérifié : { $figures }.
report-share = { $share } % du programme
report-gigabytes = { NUMBER($size, minimumFractionDigits: 2, maximumFractionDigits: 2) } Go
report-megabytes = { NUMBER($size, minimumFractionDigits: 1, maximumFractionDigits: 1) } Mo
report-no-errors = aucune erreur
report-no-clock = { $figures } ; le flux n’a pas d’horloge, la part du programme est donc inconnue
report-plain-name = sous un nom simple, car le disque a refusé le nom complet
report-flaw-continuity = { $count ->
    [one] { $count } erreur de continuité
    [many] { $count } d’erreurs de continuité
   *[other] { $count } erreurs de continuité
}
report-flaw-tables = { $count ->
    [one] { $count } erreur dans les tables
    [many] { $count } d’erreurs dans les tables
   *[other] { $count } erreurs dans les tables
}
report-flaw-transport = { $count ->
    [one] { $count } erreur de transport
    [many] { $count } d’erreurs de transport
   *[other] { $count } erreurs de transport
}
report-flaw-scrambled = { $count ->
    [one] { $count } paquet crypté
    [many] { $count } de paquets cryptés
   *[other] { $count } paquets cryptés
}
report-flaw-clock = { $count ->
    [one] { $count } saut de l’horloge
    [many] { $count } de sauts de l’horloge
   *[other] { $count } sauts de l’horloge
}
report-flaw-damaged = { $count ->
    [one] { $count } paquet endommagé
    [many] { $count } de paquets endommagés
   *[other] { $count } paquets endommagés
}
report-flaw-junk = { $count ->
    [one] { $count } octet superflu
    [many] { $count } d’octets superflus
   *[other] { $count } octets superflus
}
# $spans is a list of times: 20:05:10–20:05:12, 20:14:30–20:45
report-gap = passages manquants { $spans }
report-gap-picture = sans image { $spans } (son présent)
report-gap-sound = sans son { $spans }
report-hollow-picture = les paquets de l’image sont arrivés, mais ne peuvent pas être décodés
report-hollow-picture-unchecked = les paquets de l’image sont arrivés, mais semblent vides, et ffmpeg n’a pas pu les vérifier
report-hollow-sound = les paquets du son sont arrivés, mais ne peuvent pas être décodés
report-hollow-sound-unchecked = les paquets du son sont arrivés, mais semblent vides, et ffmpeg n’a pas pu les vérifier
# $name: language and codec of a second picture or sound, such as deu, AC-3
report-track-picture = autre piste vidéo ({ $name }) absente { $spans }
report-track-picture-never = autre piste vidéo ({ $name }) annoncée, mais jamais diffusée
report-track-sound = autre piste audio ({ $name }) absente { $spans }
report-track-sound-never = autre piste audio ({ $name }) annoncée, mais jamais diffusée

# $why, $trouble: whole sentences. English has no use for report-tuner-trouble: its sentences name the tuner.
report-not-recorded = Non enregistré. { $why }
report-tuner-trouble = { $trouble } (tuner { $tuner })
report-details = ({ $details })
# Labels with values of a trouble, at the end of messages and in notifications.
trouble-value-file = Fichier : { $file }
trouble-value-system = Code d’erreur : { $code }
trouble-value-free = Espace libre sur le disque : moins de { $size }
trouble-value-silent = Durée sans réception : { $length }
trouble-value-clock-ahead = L’horloge avançait de : { $by }
trouble-value-clock-behind = L’horloge retardait de : { $by }
trouble-value-message = Message du logiciel : { $message }
report-nothing-left = Non enregistré : des images ou du son ont été reçus, mais il n’en reste rien sur le disque.
report-nothing-arrived = Non enregistré : ni image ni son n’ont été reçus.
report-too-late = Non enregistré : l’heure est passée avant que l’enregistrement puisse commencer.
report-was-asleep = Non enregistré : l’enregistreur était en veille, { $span }.
report-was-off = Non enregistré : l’enregistreur était éteint, { $span }.
report-storage-offline = Terminé. Le disque est absent depuis { $at }. Le fichier sera finalisé à son retour.
report-storage-slow = Terminé. Le disque ne répond plus depuis { $at } ; le fichier n’est donc pas encore finalisé.
report-node-away = Terminé. Un autre enregistreur en détient une partie et il est arrêté depuis { $at }. Le fichier sera finalisé quand il aura redémarré.
report-unfinished = Terminé. Depuis { $at }, le fichier ne peut pas être finalisé. L’enregistreur continue d’essayer. { $why }

# $held is a list: sat1 records “News” 20:05–21:40; sat2 records “Tatort” 20:15–21:45
report-conflict = Conflit : aucun tuner n’est libre.
report-conflict-held = Conflit : aucun tuner n’est libre ({ $held }).
report-holder = { $tuner } enregistre « { $name } » { $span }
report-remedy-withdraw = Sans « { $name } », l’enregistrement aurait lieu.
report-remedy-priority = Avec une priorité de { $priority }, l’enregistrement aurait lieu.
report-remedy-priority-loses = Avec une priorité de { $priority }, l’enregistrement aurait lieu, mais une partie manquerait à : { $names }.
report-remedy-tuner = Avec un autre tuner comme { $tuner }, l’enregistrement aurait lieu.
report-remedy-none = Aucun changement ne suffirait à lui seul : ni renoncer à un autre enregistrement, ni une priorité plus haute, ni un tuner de plus.
# $day: Thu 26 Nov
report-remedy-repeat = Sa rediffusion serait enregistrée : { $day }, { $time }, { $channel }.
report-repeat-booked = Sa rediffusion est programmée : { $day }, { $time }, { $channel }.
report-repeat-healed = La rediffusion a été enregistrée en entier : { $day }, { $time }, { $channel }.
# $code: the technical name of an error, always in English
report-doubt = Incertain : le tuner { $tuner } est défaillant depuis { $since } ({ $code }). L’enregistrement sera tenté quand même.
report-trim-start = En partie seulement, à partir de { $at } : aucun tuner n’est libre avant.
report-trim-start-held = En partie seulement, à partir de { $at } : aucun tuner n’est libre avant ({ $held }).
# $parts is a list of the next three. $name: a title in quotes, or “another recording”.
report-trim = Marges réduites : { $parts }.
report-trim-before = { $length } de moins avant, après { $name }
report-trim-after = { $length } de moins après, pour { $name }
report-trim-late = début retardé de { $length } au plus, après { $name }
report-title = « { $name } »
report-another = un autre enregistrement
report-day = { $weekday } { $date }

# Lists of any length: of items, of items with commas, of sentences
report-items = { $before }, { $next }
report-groups = { $before } ; { $next }
report-sentences = { $before } { $next }
`;
