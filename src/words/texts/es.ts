/** Spanish. */
export const es = `
## Times and amounts

today = Hoy
tomorrow = Mañana
yesterday = Ayer
# Inside a sentence: “since yesterday 20:15”
today-inside = hoy
tomorrow-inside = mañana
yesterday-inside = ayer
# Today 20:15
day-and-time = { $day } { $time }
days = { $days ->
    [one] { $days } día
    [many] { $days } de días
   *[other] { $days } días
}
hours = { $hours } h
minutes = { $minutes } min
seconds = { $seconds } s
# 1 h 30 min
larger-and-smaller = { $larger } { $smaller }

## Frame: around every page

frame-loading = Cargando…
frame-waiting = Esperando al grabador…
frame-skip = Ir al contenido
frame-pages = Páginas
# The title of the window. $page is the name of a page, $name that of the program.
frame-title = { $page } · { $name }
# $time has seconds: 20:15:03
frame-silent = El grabador no responde desde las { $time }. Los datos de la pantalla son de esa hora. Reintentando…
frame-part-missing = No se ha podido cargar una parte de esta página. La página se recargará en cuanto responda el grabador.
# Read out when the page gets every change at once
frame-live = conectado
frame-connecting = conectando…
frame-guide-server = servidor de guía
frame-colours = Colores: { $theme ->
    [light] claros
    [dark] oscuros
   *[system] los del sistema
}
frame-language = Idioma
frame-signed-out = Sesión cerrada.
frame-sign-out = Cerrar sesión

## Navigation and common parts

# The name of a button that asks before it acts: Delete…
confirm-opens = { $label }…
confirm-keep = Conservar
dialog-close = Cerrar

# Names of pages, and their headings. The first five are in a bar at the bottom of a phone: about 40 letters fit in all.
nav-tonight = Esta noche
nav-guide = Guía
nav-recordings = Grabaciones
nav-rules = Reglas
nav-more = Más
nav-devices = Dispositivos
nav-channels = Canales
nav-users = Usuarios
nav-timeline = Cronograma
nav-timers = Temporizadores
nav-tuners = Sintonizadores
nav-log = Registro
# The page More: a line under each link
more-timeline = Qué graba cada sintonizador, hora a hora
more-timers = Las grabaciones previstas y su resultado
more-tuners = Recepción, canales y espacio en disco
more-log = Qué ha estado haciendo el grabador
more-guide-service = Servicio de guía
more-guide-service-line = De dónde llegan la programación y los temporizadores
more-users = Quién puede usar este servidor de guía
more-browser = Este navegador
push-turn-on = Activar notificaciones
push-turn-off = Desactivar notificaciones
push-is-on = Las notificaciones llegan ahora a este dispositivo. Se ha enviado una de prueba.
push-is-off = Este navegador ya no recibe notificaciones.
push-insecure = Las notificaciones solo llegan a un navegador por una dirección segura (https).
push-impossible = Este navegador no puede recibir notificaciones. En un iPhone o iPad, añada antes esta página a la pantalla de inicio.
push-denied = El navegador no permite notificaciones de esta página. Permítalas en los ajustes del navegador.
push-refused = El servicio push del navegador ha rechazado la solicitud. Vuelva a intentarlo más tarde.
more-recorder = Grabador
more-version = recorderd { $version }
# A button: asks the guide service for timers at once
more-sync = Sincronizar
more-syncing = Se está consultando el servicio de guía.

## Tonight

# The first sentence of the start page. Tonight lasts until six in the morning.
tonight-nothing = No hay nada planificado para esta noche.
tonight-only-running = { $count ->
    [one] Hay 1 grabación en curso. No hay nada más planificado para esta noche.
    [many] Hay { $count } de grabaciones en curso. No hay nada más planificado para esta noche.
   *[other] Hay { $count } grabaciones en curso. No hay nada más planificado para esta noche.
}
tonight-all = { $count ->
    [one] Hay 1 grabación planificada para esta noche.
    [many] Las { $count } de grabaciones de esta noche están planificadas.
   *[other] Las { $count } grabaciones de esta noche están planificadas.
}
# $planned: those that have a tuner
tonight-some = { $count ->
    [one] 1 grabación de esta noche no podrá hacerse como estaba previsto.
   *[other] { $planned ->
        [0] Esta noche no podrá hacerse como estaba previsto ninguna de las { $count } grabaciones.
        [one] Esta noche solo podrá hacerse como estaba previsto 1 de las { $count } grabaciones.
       *[other] Esta noche solo podrán hacerse como estaba previsto { $planned } de las { $count } grabaciones.
    }
}
tonight-decisions = { $count ->
    [one] Hay 1 decisión pendiente.
    [many] Hay { $count } de decisiones pendientes.
   *[other] Hay { $count } decisiones pendientes.
}
tonight-now = Grabando ahora
tonight-next = A continuación, hasta mañana por la mañana
tonight-lost = No grabado
tonight-new = Nuevas grabaciones
tonight-show-all = Mostrar todo
# The same link, read out. $of is the title of its list: “New to watch”
tonight-show-all-of = Mostrar todo: { $of }
tonight-watch = Ver
tonight-watch-it = Ver { $name }
# $share is a percentage, of the broadcast and of the recording
tonight-over = { $share } transcurrido
tonight-until = hasta las { $time }
tonight-until-well = hasta las { $time } · sin interrupciones
# $day: “Yesterday”, or a date. $length: “50 min”, or “27 min left”
tonight-day-and-length = { $day } · { $length }
tonight-left = { $length } por ver
# Nothing was recorded in this home yet
tonight-start = Todavía no hay nada grabado. Elija un programa en la <link>guía</link> y grábelo.
tonight-hours = { $hours ->
    [0] Queda espacio para menos de una hora más.
    [one] Queda espacio para 1 hora más, aproximadamente.
    [many] Queda espacio para unas { $hours } de horas más.
   *[other] Queda espacio para unas { $hours } horas más.
}
# $at: “Tomorrow 00:50”
tonight-full = Disco lleno: { $at }

## Decisions: conflicts and what solves them

decision-title = Decisiones
decision-searching = Se sigue buscando un plan mejor.
# $names: one or more titles. $start and $stop: times of day.
decision-lost = { $count ->
    [one] { $names } no se grabaría: no hay ningún sintonizador libre de { $start } a { $stop }.
    [many] { $names } no se grabarían: no hay ningún sintonizador libre de { $start } a { $stop }.
   *[other] { $names } no se grabarían: no hay ningún sintonizador libre de { $start } a { $stop }.
}
# $lost: a length, such as 7 min. $from: a time of day.
decision-partly = { $names } perdería { $lost } del principio: no hay ningún sintonizador libre antes de las { $from }.
# Somebody chose another recording before this one.
decision-settled = { $names } no se grabará: se dio prioridad a otra grabación.
# A tuner that fails is tried all the same.
decision-uncertain = { $names } podría no grabarse: el sintonizador previsto está fallando y no hay otro libre.
decision-other = { $names } no se grabaría.
# Where and when: Das Erste, Today 20:15–21:45
decision-on = { $channel }, { $when }
decision-choices = Opciones
# $at: a day and a time.
decision-repeat = Grabar la repetición: { $at }
decision-repeat-of = Grabar la repetición de { $name }: { $at }
decision-repeat-cost = En { $channel }. No se pierde nada.
decision-record = Grabar { $names }
# A title and when it begins, where titles are listed: News 20:00
decision-name = { $name } { $time }
decision-cost-nothing = No se pierde nada.
decision-cost-lost = { $count ->
    [one] { $names } no se graba.
    [many] { $names } no se graban.
   *[other] { $names } no se graban.
}
decision-cost-partly = { $count ->
    [one] { $names } pierde una parte.
    [many] { $names } pierden una parte.
   *[other] { $names } pierden una parte.
}
decision-cost-mixed = No se graba: { $names }. Se graba en parte: { $partly }.
decision-cost-cancel = Se cancela { $name }.
decision-done-repeat = Se está programando la repetición de { $name }. En cuanto quede programada, se cancelará este temporizador.
decision-done-priority = Ahora { $name } tiene prioridad y el plan se está actualizando.
decision-done-cancel = Se ha cancelado { $name } y el plan se está actualizando.
# $tuner: the name of a tuner.
decision-add-tuner = Un segundo sintonizador como { $tuner } lo resolvería.
decision-none = Ningún cambio bastaría por sí solo: ni cancelar otra grabación, ni dar más prioridad, ni añadir un sintonizador.
decision-why = ¿Por qué?
decision-change = Elegir otra opción
# $when: day and times.
decision-holder = { $tuner } graba { $name } ({ $when }).
decision-show-all = Mostrar todas ({ $count })


## Troubles, by error code

# One sentence says what is wrong, another what to do.
trouble-title = Problemas
# $at: a day and a time, or a time.
trouble-since = Desde: { $at }
trouble-technical = Detalles técnicos
trouble-guide-sign-in = Hay que volver a iniciar sesión en el servicio de guía. Hasta entonces no llegarán temporizadores nuevos. <link>Iniciar sesión</link>
trouble-guide-few = { $listed ->
    [one] El servicio de guía solo muestra 1 de los { $held } temporizadores. No se cancela ninguno por ese motivo.
    [many] El servicio de guía solo muestra { $listed } de los { $held } temporizadores. No se cancela ninguno por ese motivo.
   *[other] El servicio de guía solo muestra { $listed } de los { $held } temporizadores. No se cancela ninguno por ese motivo.
}
trouble-clock = El reloj del grabador no es fiable. El grabador sigue grabando y dará los resultados cuando el reloj esté en hora. Compruebe la fecha y la hora del grabador.
trouble-clock-behind = El reloj del grabador parece ir { $by } atrasado. Compruebe la fecha y la hora del grabador.
trouble-clock-ahead = El reloj del grabador parece ir { $by } adelantado. Compruebe la fecha y la hora del grabador.
trouble-data-disk-full = El disco de datos del grabador está lleno. Las grabaciones en curso continúan; libere espacio en ese disco.
trouble-data-disk-low = El disco de datos del grabador está lleno y el grabador usa su reserva. Libere espacio en ese disco.
trouble-secrets = El grabador no puede leer las contraseñas guardadas. Las grabaciones planificadas no se ven afectadas.
trouble-secrets-earlier = El grabador no puede leer las contraseñas guardadas y usa las anteriores hasta que se reinicie.
trouble-no-answer = El grabador no responde.
trouble-answer = El grabador no pudo hacerlo (código { $status }).
trouble-other = Algo ha fallado. Consulte los detalles técnicos.

trouble-no-tuner-free = No hay ningún sintonizador libre a esta hora: todos hacen falta para otras grabaciones.
trouble-guide-unreachable = No se puede acceder al servicio de guía. Compruebe la conexión a internet; el grabador seguirá intentándolo.
trouble-guide-busy = El servicio de guía no está disponible en este momento. El grabador seguirá intentándolo.
trouble-guide-unreadable = El grabador no entiende las respuestas del servicio de guía. Compruebe la dirección del servicio en la configuración.
trouble-guide-certificate = La conexión con el servicio de guía no es segura. Compruebe la fecha del grabador y el certificado del servicio.
trouble-guide-set-aside = Se tardó demasiado en leer una respuesta del servicio de guía. El grabador volverá a intentarlo.
trouble-guide-signed-out = Hay que volver a iniciar sesión en el servicio de guía.
trouble-guide-forbidden = Su cuenta no permite esta acción. Consulte con un propietario de la cuenta.
trouble-guide-not-found = Esta entrada ya no existe en el servicio de guía.
trouble-guide-refused = El servicio de guía rechazó este cambio.
trouble-listing = No se pudo cargar la programación. Se sigue usando la anterior.
trouble-channel = El grabador no sabe dónde recibir este canal. Asígnelo en la página Sintonizadores.
trouble-clock-wrong = El reloj del grabador no estaba en hora en ese momento. Compruebe la fecha y la hora del grabador.
trouble-no-tuner-capable = Ningún sintonizador recibe este canal.
trouble-tuner-in-use = Otra aplicación está usando el sintonizador.
trouble-no-signal = El sintonizador no recibe señal. Compruebe la antena y el cable.
trouble-tuner-unreachable = El sintonizador no responde. Compruebe que esté encendido y conectado.
trouble-tuner-forbidden = El grabador no tiene permiso para usar el sintonizador. Concédaselo.
trouble-tuner-password = El sintonizador rechaza el usuario o la contraseña guardados.
trouble-tuner-scan = El sintonizador ya no encuentra este canal. Vuelva a buscar canales.
trouble-stalled = La señal se interrumpió. Compruebe la recepción.
trouble-ended = El sintonizador dejó de enviar datos.
trouble-scrambled = El canal está cifrado y este sintonizador no puede descifrarlo.
trouble-excessive = El sintonizador envió los datos más deprisa que cualquier emisión. Compruebe la dirección del sintonizador.
trouble-capture-died = La grabación se detuvo de forma inesperada. El grabador la inicia de nuevo.
trouble-capture-not-started = No se pudo iniciar la grabación.
trouble-disk-full = El disco de grabaciones está lleno. Elimine grabaciones para liberar espacio.
trouble-disk-low = El disco de grabaciones está casi lleno. Elimine grabaciones para liberar espacio.
trouble-write-failed = El grabador no puede escribir en el disco de grabaciones. Compruebe el disco.
trouble-disk-missing = Falta el disco de grabaciones. En cuanto se conecte, se seguirá grabando automáticamente.
trouble-disk-slow = El disco de grabaciones no responde a tiempo. Compruebe el disco o el servidor de archivos.
trouble-node-away = Otro grabador del grupo tiene una parte de esta grabación y está apagado. Encienda ese dispositivo.
trouble-file-unreadable = No se puede leer el archivo.
trouble-file-foreign = Otra aplicación modificó o sustituyó el archivo.
trouble-recording-unknown = Esta grabación ya no existe.
trouble-recording-protected = La grabación está protegida. Desprotéjala antes.
trouble-index = Todavía no se puede saltar a otro punto de esta grabación, pero sí reproducirla desde el principio.
trouble-conversion-busy = El grabador no puede hacer más conversiones a la vez. Vuelva a intentarlo cuando termine otra reproducción.
trouble-conversion-off = Este dispositivo no puede reproducir la grabación sin conversión, y la conversión está desactivada.
trouble-conversion-failed = La conversión falló. La grabación original no ha cambiado.
trouble-data-folder = El grabador no puede guardar sus datos. Las grabaciones en curso continúan; compruebe el disco de datos.
trouble-set-up = El grabador no está bien configurado. El registro indica qué hay que corregir.
trouble-notify = No se pudo enviar la notificación. Compruebe la configuración de las notificaciones.
trouble-planning = No se pudo actualizar el plan. Las grabaciones siguen el plan anterior.
trouble-not-ready = El grabador está arrancando o está ocupado. Vuelva a intentarlo dentro de un momento.
trouble-site = El sitio de contenidos no dio una respuesta útil. Vuelva a intentarlo más tarde.
trouble-site-sign-in = Hay que iniciar sesión en el sitio de contenidos.


## States and verdicts

# Chips: one or two words.
state-planned = planificada
# Only a part will be recorded.
state-partly = en parte
state-conflicted = conflicto
state-tuning = sintonizando
state-waiting = reintentando
state-recording = grabando
state-closing = finalizando
state-completed = completada
state-partial = parcial
state-failed = fallida
state-missed = no grabada
state-cancelled = cancelada
verdict-perfect = perfecta
verdict-good = buena
verdict-damaged = dañada
verdict-unusable = inservible
file-missing = no encontrado
file-changed = modificado
file-unreadable = ilegible
file-truncated = incompleto: { $size } de { $whole }
file-intact = intacto
file-unproven = sin verificar

# Sentences about one recording.
result-planned = Se grabará: { $when }.
result-partly = Solo se grabará una parte: { $when }.
result-conflicted = No se grabará.
result-tuning = La grabación está empezando.
result-waiting = El grabador seguirá intentándolo hasta las { $stop }.
result-recording = Se está grabando hasta las { $stop }.
result-closing = La grabación ha terminado y se está finalizando el archivo.
result-completed = La grabación está completa.
result-perfect = Grabada por completo y sin fallos.
result-good = Grabada por completo.
result-damaged = Grabada con fallos: contiene el { $share } del programa.
result-unusable = La grabación es inservible: solo contiene el { $share } del programa.
# Without figures.
result-damaged-plain = Grabada con fallos.
result-unusable-plain = La grabación es inservible.
result-partial = Solo se grabó una parte: el { $share } del programa.
result-unverified = Grabada, pero no se sabe qué parte del programa contiene.
result-failed = No se grabó nada.
result-missed = No se grabó: ya pasó su hora.
result-cancelled = Se canceló.
result-clock = El reloj del grabador no es fiable. El resultado llegará cuando el reloj esté en hora.
result-doubt = El sintonizador { $tuner } está fallando (desde: { $at }). Se intentará grabar de todos modos.
result-doubt-plain = El sintonizador previsto está fallando. Se intentará grabar de todos modos.
# $lost: a length, such as 7 min.
result-late = No se graba el principio del programa ({ $lost }): no hay ningún sintonizador libre antes de las { $from }.
result-less-before = El margen anterior se acorta { $lost }: otra grabación necesita el sintonizador.
result-less-after = El margen posterior se acorta { $lost }: otra grabación necesita el sintonizador.
result-seam = Puede empezar con un retraso de hasta { $lost }: el sintonizador pasa directamente de otra grabación a esta.
result-no-errors = Sin errores de recepción.
result-errors = { $count ->
    [one] 1 error de recepción.
    [many] { $count } de errores de recepción.
   *[other] { $count } errores de recepción.
}
# $spans: times of day with seconds.
result-missing = Falta: { $spans }
result-storage-missing = Falta el disco (desde: { $at }). El archivo se finalizará cuando vuelva a estar disponible.
result-storage-slow = El disco no responde (desde: { $at }), así que el archivo aún no se ha finalizado.
result-node-away = Otro grabador tiene una parte de esta grabación y está apagado (desde: { $at }), así que el archivo aún no se ha finalizado.
result-storage-failed = No se puede finalizar el archivo (desde: { $at }). El grabador seguirá intentándolo.
repeat-booking = Se está programando la repetición: { $at }, en { $channel }.
repeat-again = Aún no se ha podido programar la repetición; el grabador volverá a intentarlo.
repeat-booked = La repetición está programada: { $at }, en { $channel }.
repeat-needless = Está completa: no hace falta la repetición.
repeat-healed = Se grabó completa en la repetición.
repeat-moved = En su lugar se graba la repetición: { $at }, en { $channel }.
repeat-given-up = La repetición no sustituyó a la grabación.
repeat-not-booked = No se programó ninguna repetición.


## Details of a recording

detail-episode = Temporada { $season }, episodio { $episode }
# What is behind it: padding, tuner, file, reception.
detail-more = Más detalles
detail-channel = Canal
detail-event = Emisión
detail-window = Con márgenes
detail-priority = Prioridad
detail-tuner = Sintonizador
detail-reported = Estado comunicado
detail-not-reported = aún no comunicado
reported-waiting = en espera
reported-pending = en espera
reported-running = grabando
reported-completed = completada
reported-failed = fallida
detail-repeat = Repetición
detail-attempts = Intentos
detail-on-disk = En disco
# $size: 1.5 GB
detail-size = { $parts ->
    [one] { $size }
    [many] { $size } en { $parts } de partes
   *[other] { $size } en { $parts } partes
}
detail-of-event = Del programa
# $share: 99.5 %. $length: 1 h 30 min
detail-share = { $share } ({ $length })
detail-lost-packets = Paquetes perdidos
detail-damaged-packets = Paquetes dañados
detail-encrypted-packets = Paquetes cifrados
detail-file = Archivo
detail-wrong = Problema
detail-compared = Comprobación
detail-compared-at = { $verdict }, { $at }
detail-deleted-person = Se eliminó manualmente.
detail-deleted-retention = Se eliminó para liberar espacio.
detail-deleted-repeat = Se eliminó: la sustituyó una repetición completa.
detail-delete = Eliminar
detail-delete-ask = ¿Eliminar la grabación? Esta acción no se puede deshacer.
detail-delete-verb = Eliminar para siempre
detail-delete-done = Eliminada.
detail-protect = Proteger
detail-protect-done = Protegida: no se eliminará para liberar espacio.
detail-unprotect = Desproteger
detail-unprotect-done = Ya no está protegida.
detail-watched = Marcar como vista
detail-watched-done = Marcada como vista.
detail-unwatched = Marcar como no vista
detail-unwatched-done = Marcada como no vista.
detail-verify = Comprobar archivo
detail-verify-done = Se está comprobando el archivo.
detail-change = Modificar temporizador
detail-before = Minutos antes
detail-after = Minutos después
detail-padding = Cambiar márgenes
detail-padding-done = Los márgenes se han cambiado en el servicio de guía.
detail-priority-change = Cambiar prioridad
detail-priority-done = El plan se está actualizando.
detail-cancel = Cancelar grabación
detail-cancel-ask = ¿Cancelar la grabación en el servicio de guía? La parte ya grabada se conserva.
detail-cancel-verb = Cancelar grabación
detail-cancel-done = Cancelada.

## Recordings of another recorder

imported-by = Grabado por { $recorder }, que conserva el archivo.
imported-out = Quitar de la lista
imported-out-ask = ¿Quitar la grabación de esta lista? El archivo se queda en { $recorder }.
imported-out-verb = Quitar
imported-out-done = Quitada de la lista.


## What happened: the history of a timer

# Each of these is one line of a history, with its time before it.
happened-title = Qué ha pasado
happened-lines = { $count ->
    [one] 1 entrada
    [many] { $count } de entradas
   *[other] { $count } entradas
}
# The same line several times in a row.
happened-times = { $text } ({ $count } veces)
# $zone: the name of a time zone, such as Europe/Berlin.
happened-technical = Para técnicos, en inglés. Las horas son de la zona horaria { $zone }.
happened-technical-plain = Para técnicos, en inglés. Las horas del texto son de la zona horaria del grabador.
# Stands for a value that an earlier version did not keep.
happened-unknown = (desconocido)
# $since: a day and a time.
happened-started = El grabador arrancó. Apagado desde: { $since }
happened-clock-forward = El reloj del grabador se adelantó { $by }.
happened-clock-back = El reloj del grabador se atrasó { $by }.
happened-clock-not-trusted = El reloj del grabador dejó de ser fiable. Ninguna grabación se dio por terminada por ese motivo.
happened-clock-trusted = El reloj del grabador volvió a ser fiable.
happened-asleep = El grabador estuvo suspendido: { $when }.
happened-off = El grabador estuvo apagado: { $when }.
happened-ordered = Se programó { $name } en { $channel }: { $when }.
happened-order-changed = El programa cambió de hora: { $when }.
happened-priority = La prioridad cambió a { $priority }.
happened-padding = Los márgenes cambiaron a { $before } min antes y { $after } min después.
happened-override-removed = Se quitaron la prioridad y los márgenes propios del grabador.
happened-repeat-ordered = Se está programando la repetición: { $at }, en { $channel }.
happened-repeat-booked = La repetición está programada.
happened-repeat-delayed = Aún no se pudo programar la repetición. El grabador volverá a pedirla.
happened-repeat-cancelling = Se está cancelando el temporizador: lo sustituye la repetición.
happened-repeat-dropping = La grabación está completa, así que se está cancelando la repetición.
happened-repeat-moved = En su lugar se graba la repetición.
happened-repeat-healed = La repetición se grabó completa.
happened-repeat-needless = La repetición ya no hace falta.
happened-repeat-given-up = La repetición no sustituyó a la grabación.
happened-absent = El temporizador ya no figura en el servicio de guía, así que se da por cancelado.
happened-not-understood = No se pudo leer la entrada del servicio de guía.
happened-placed = Planificada en el sintonizador { $tuner }.
happened-tuner-changed = Planificada en otro sintonizador: { $tuner }.
happened-displaced = Perdió su sitio en el plan.
happened-trimmed = Planificada con menos margen o solo en parte.
happened-conflict = No tenía sitio en el plan.
happened-held-back = Debía empezar, pero aún no era posible.
happened-flowing = La grabación empezó en el sintonizador { $tuner }.
happened-doubted = La grabación parecía fallar, así que empezó otra en el sintonizador { $tuner }.
happened-drained = El equipo que grababa pasa a mantenimiento, así que empezó otra grabación en el sintonizador { $tuner }.
happened-relieved = La grabación continúa en el sintonizador { $tuner }.
happened-followed = La grabación se ajusta a la emisión, hasta las { $stop }.
happened-lease-taken = El sintonizador { $tuner } se usaba para otra cosa y se liberó para grabar.
happened-tuner-quarantined = El sintonizador { $tuner } dejó de funcionar.
happened-tuner-back = El sintonizador { $tuner } vuelve a funcionar.
happened-adopted = El grabador se reinició y la grabación siguió sin cortes.
happened-attempt-failed = Falló un intento de grabación.
happened-withdrawn = Se canceló.
happened-missed = Pasó su hora sin que se grabara.
happened-over = El tiempo de grabación terminó y se está finalizando el archivo.
happened-closing-failed = No se pudo finalizar el archivo. El grabador seguirá intentándolo.
happened-evidence = En disco: { $covered } de { $length }.
happened-plain-name = El disco no aceptó el nombre completo, así que el archivo lleva uno más sencillo.
happened-gap = No se grabó nada: { $span }.
happened-gap-picture = Falta la imagen: { $span }.
happened-gap-sound = Falta el sonido: { $span }.
happened-whole = La grabación terminó.
happened-shortened = Solo se grabó una parte.
happened-empty = No se grabó nada.
happened-discarded = Se canceló. La parte ya grabada se conserva.
happened-deleted-person = Se eliminó manualmente.
happened-deleted-retention = Se eliminó para liberar espacio.
happened-deleted-repeat = Se eliminó: la sustituyó una repetición completa.
happened-file-gone = Otra aplicación eliminó el archivo.
happened-file-back = El archivo vuelve a estar disponible.
happened-file-damaged = El archivo se dañó después de la grabación.
happened-file-sound = El archivo vuelve a estar intacto.
happened-report-refused = El servicio de guía rechazó el informe.
happened-ordered-rule = Una regla programó { $name } en { $channel }: { $when }.
happened-rule-changed = Se cambió la regla que la programó.


## Recordings

recordings-search = Buscar grabaciones
# A filter: recordings that somebody has begun to watch.
recordings-unfinished = A medio ver
recordings-count = { $count ->
    [one] 1 grabación
    [many] { $count } de grabaciones
   *[other] { $count } grabaciones
}, { $size }
recordings-empty = No hay grabaciones
recordings-empty-next = Elija un programa en la <link>guía</link> y grábelo. Al terminar, aparecerá aquí.
recordings-none-match = Ninguna grabación coincide.
recordings-none-match-next = Pruebe con otras palabras o muestre todas las grabaciones.
recordings-show-all = Mostrar todas
# $share is a percentage.
recordings-seen = { $share } visto
recordings-protected = protegida
recordings-watched = vista

# The picture of a recording's bit rate, with what is missing in it.
integrity-picture = Tasa de bits a lo largo del tiempo
integrity-rate = Media: { $average }; máxima: { $most }.
integrity-whole = No falta nada.
# $gaps is a list: 2 s at 20:15:03 and 1 min of picture at 20:40:00.
integrity-missing = Falta: { $gaps }.
integrity-gap = { $lacks ->
    [picture] { $length } de imagen a las { $at }
    [sound] { $length } de sonido a las { $at }
   *[all] { $length } a las { $at }
}
# The time stamps of the broadcast do not go on.
integrity-clock = { $count ->
    [one] El reloj de la emisión salta una vez.
    [many] El reloj de la emisión salta { $count } de veces.
   *[other] El reloj de la emisión salta { $count } veces.
}
integrity-damaged = { $count ->
    [one] Hay 1 paquete dañado.
    [many] Hay { $count } de paquetes dañados.
   *[other] Hay { $count } paquetes dañados.
}
integrity-junk = Hay { $size } que no se pueden leer.


## Timers

timers-search = Buscar temporizadores
timers-which = Qué temporizadores mostrar
timers-filter-upcoming = Próximos
timers-filter-running = En curso
timers-filter-trouble = Con problemas
timers-filter-ended = Terminados
timers-filter-all = Todos
timers-count = { $count ->
    [one] 1 temporizador
    [many] { $count } de temporizadores
   *[other] { $count } temporizadores
}
timers-empty = No hay temporizadores
timers-empty-next = Elija un programa en la <link>guía</link> y grábelo, o <rules>grabe una serie completa</rules>.
timers-none-match = Ningún temporizador coincide.
timers-none-match-next = Pruebe con otros temporizadores o con otras palabras.
timers-show-all = Mostrar todos


## Timeline

timeline-view = Vista del cronograma
timeline-now = Ahora
timeline-zoom-out = Alejar
timeline-zoom-in = Acercar
timeline-range = Ocupación de los sintonizadores, desde ayer hasta dentro de dos semanas
timeline-recordings = Grabaciones por sintonizador
timeline-tuner = Sintonizador { $id }
timeline-no-tuner = Sin sintonizador
# Several recordings share a tuner: it receives all of their channels at once.
timeline-shared = { $count ->
    [one] 1 grabación en este sintonizador
    [many] { $count } de grabaciones comparten este sintonizador
   *[other] { $count } grabaciones comparten este sintonizador
}
# What a screen reader says of a recording, and what the mouse shows.
timeline-bar = { $name }, { $channel }, { $when }, { $state }
timeline-legend = Significado de los colores
timeline-legend-planned = Planificada
timeline-legend-busy = Grabando
timeline-legend-good = Completa
timeline-legend-warn = Conflicto o dañada
timeline-legend-bad = Fallida o no grabada
timeline-legend-padding = Margen
timeline-legend-shared = Sintonizador compartido
timeline-empty = No hay nada planificado.
timeline-empty-next = Elija un programa en la <link>guía</link> y grábelo. Aparecerá aquí, junto a su sintonizador.


## Tuners

tuners-title = Sintonizadores y disco
tuners-empty = No hay ningún sintonizador configurado.
tuners-empty-next = Sin sintonizador no se puede grabar nada. El comando «recorderd tuners discover» encuentra los que hay en su red.
tuners-state-free = libre
tuners-state-tuning = sintonizando
tuners-state-receiving = recibiendo
# Somebody watches television with it, or it looks for guide data.
tuners-state-lent = en uso
tuners-quarantined = fuera de servicio
tuners-drained = en mantenimiento
nodes-title = Equipos
nodes-state-leader = principal
nodes-state-standby = listo
nodes-state-away = sin contacto
tuners-kind = Tipo
tuners-multiplex = Múltiplex
tuners-held = En uso hasta
tuners-signal = Señal
tuners-signal-locked = enganchada
tuners-signal-none = ninguna
tuners-strength = Intensidad de la señal
tuners-dbm = { NUMBER($value, maximumFractionDigits: 1) } dBm
# Signal-to-noise ratio.
tuners-snr = Señal/ruido
tuners-db = { NUMBER($value, maximumFractionDigits: 1) } dB
tuners-quality = Calidad de la señal
tuners-blocks = Bloques perdidos
tuners-trouble = Último problema
tuners-trouble-at = { $at }: { $what }
tuners-out-since = Fuera de servicio desde
tuners-next-try = Próximo intento
tuners-received = Recepción hasta ahora
tuners-failed = Fallos
tuners-lock = Tiempo de enganche
tuners-errors = Errores
tuners-failed-of = { $failures } de { $tries }
# Damaged packets in a million.
tuners-per-million = { $count } por millón
tuners-disk = Disco de grabaciones
tuners-space-room = { $hours ->
    [0] Espacio para menos de una hora
    [one] Espacio para cerca de 1 hora
    [many] Espacio para unas { $hours } de horas
   *[other] Espacio para unas { $hours } horas
}
tuners-space-short = Insuficiente para lo planificado
tuners-space-low = Casi lleno
tuners-space-full = Lleno: no se graba nada
tuners-space-offline = No conectado
tuners-space-left = Capacidad restante
tuners-space-hours = { $hours ->
    [0] menos de una hora de televisión
    [one] cerca de 1 hora de televisión
    [many] unas { $hours } de horas de televisión
   *[other] unas { $hours } horas de televisión
}
tuners-free = Libre
tuners-free-of = { $free } de { $total }
tuners-planned = Planificado
tuners-full = Se llenará
# Unless recordings are deleted.
tuners-full-never = de momento, no
tuners-full-plan = { $at }, antes de grabar todo lo planificado
tuners-full-pace = { $day }, si sigue grabando a este ritmo
tuners-recorder = Grabador
tuners-version = Versión
tuners-since = En marcha desde
tuners-timers = Temporizadores recibidos
tuners-timers-never = todavía no
tuners-reports = Informes pendientes
tuners-clock = Reloj
tuners-clock-right = en hora
tuners-clock-unsure = puede no ser fiable
# The machine must not sleep then.
tuners-awake = Debe estar activo antes de
tuners-data = Carpeta de datos


## Log

# What the recorder did, for those who look after it. Its lines are English.
log-about = Lo que hace el grabador, en inglés, para quien se encarga de él.
log-level = Qué líneas mostrar
log-level-info = Todas
log-level-warn = Avisos
log-level-error = Errores
log-line-info = info
log-line-warn = aviso
log-line-error = error
log-count = { $count ->
    [one] 1 línea
    [many] { $count } de líneas
   *[other] { $count } líneas
}
log-lines = Líneas del registro, las más recientes primero
log-empty = No hay líneas
log-empty-level = No se ha escrito ninguna línea de este tipo desde que arrancó el grabador. Es buena señal.
log-empty-all = El grabador no ha escrito nada desde que arrancó.
log-show-all = Mostrar todas las líneas


## Player

player-title = Reproductor
player-video = Vídeo
player-recording = Grabación
player-live-television = Televisión en directo
player-play = Reproducir
player-pause = Pausa
player-stop = Detener
# $position is a time such as 42:10.
player-resume = Seguir desde { $position }
player-from-beginning = Desde el principio
player-next-episode = Episodio siguiente: { $name }
player-other = Abrir en VLC o mpv
player-download = Descargar
player-back = { $seconds ->
    [one] 1 segundo atrás
    [many] { $seconds } de segundos atrás
   *[other] { $seconds } segundos atrás
}
player-forward = { $seconds ->
    [one] 1 segundo adelante
    [many] { $seconds } de segundos adelante
   *[other] { $seconds } segundos adelante
}
# A button: to the newest picture of live television.
player-to-live = Directo
player-position = Posición
# Both values are spoken times: 1 minute 5 seconds of 30 minutes.
player-position-of = { $position } de { $length }
# $length is a spoken time.
player-missing = Falta: { $length }
player-sound-on = Activar sonido
player-sound-off = Silenciar
player-volume = Volumen
player-floating = Imagen en imagen
player-full = Pantalla completa
player-full-leave = Salir de pantalla completa
player-speed = Velocidad
player-rate = { NUMBER($rate, maximumFractionDigits: 2) } ×
player-tuning = Sintonizando…
player-cannot = Este navegador no puede reproducirlo, por ejemplo, porque el vídeo es MPEG-2. Use un reproductor como VLC.
player-no-index = El grabador aún tiene que preparar esta grabación para reproducirla; lo hará cuando esté inactivo. Vuelva a intentarlo más tarde o descargue el archivo.

# The choice between sound tracks.
player-sound = Audio
player-sound-number = Audio { $number }
player-sound-description = { $name } (audiodescripción)
player-sound-codec = { $name } ({ $codec })
player-subtitles = Subtítulos
player-subtitles-off = Sin subtítulos
player-subtitles-hard-of-hearing = { $name } (para personas sordas)
# Another track with the same name.
player-track-again = { $name } ({ $number })

player-keys = Atajos de teclado
player-key-space = Espacio, k
player-key-toggle = reproducir o pausar
player-key-skip = { $seconds ->
    [one] 1 segundo atrás o adelante
    [many] { $seconds } de segundos atrás o adelante
   *[other] { $seconds } segundos atrás o adelante
}
player-key-jump = { $back } segundos atrás, { $forward } segundos adelante
player-key-volume = volumen
player-key-mute = activar o quitar el sonido
player-key-full = pantalla completa
player-key-sound = siguiente pista de audio
player-key-subtitles = activar o quitar los subtítulos
player-key-speed = más lento o más rápido
player-key-digits = 0 a 9
player-key-part = al principio, al 10 %, … al 90 %
player-key-help = mostrar u ocultar estos atajos
player-key-escape = Esc
player-key-close = cerrar


## Programme

programme-search = Buscar en títulos y descripciones
programme-search-titles = Buscar en títulos
programme-day = Día
programme-day-before = Día anterior
programme-day-after = Día siguiente
programme-shows = { $count ->
    [one] 1 programa
    [many] { $count } de programas
   *[other] { $count } programas
}
programme-results = Resultados de la búsqueda
programme-grid = Programación por canal y hora
# The tooltip of a show in the grid: News, Today 20:00–20:15
programme-show-at = { $title }, { $when }
# Several shows of a few minutes share one place in the grid: News, Weather
programme-short-shows = { $count ->
    [one] 1 programa corto: { $titles }
    [many] { $count } de programas cortos: { $titles }
   *[other] { $count } programas cortos: { $titles }
}
programme-short-title = Programas cortos
# A channel that the guide no longer lists, by its number.
programme-channel-unknown = Canal { $id }
# Two looks: a list of what is on now and next, and a grid of channels and times
programme-look = Vista de la guía
programme-look-now = Ahora y después
programme-look-grid = Parrilla
programme-nothing-now = Sin datos
programme-empty = La guía no tiene canales.
programme-empty-next = Los canales aparecerán aquí cuando el servicio de guía tenga datos de su región.
# A button: it shows this time in the grid
programme-prime-time = Prime time
programme-genre = Género
genre-movie = Cine y series
genre-news = Noticias
genre-show = Entretenimiento
genre-sports = Deportes
genre-children = Infantil
genre-music = Música
genre-arts = Arte y cultura
genre-society = Sociedad y política
genre-education = Educación y ciencia
genre-leisure = Ocio


## Show

show-channel = Canal
show-time = Hora
show-episode = Episodio
show-categories = Categorías
show-record = Grabar
show-record-it = Grabar { $title }
# Notice after a click on Record.
show-booked = Grabación programada.
# $names: one or more channels.
show-unreceived = Grabación programada, pero ningún sintonizador recibe { $names }, así que no se podrá grabar nada de ahí. Asigne un servicio en la página Sintonizadores.
show-cancel = Cancelar grabación
show-cancelled = Cancelada.
show-series = Grabar toda la serie
show-series-of = Grabar toda la serie: { $title }
show-series-booked = Se grabará cada episodio, una sola vez. La serie está en Reglas.
show-favourite = Añadir a favoritos
show-favourite-added = Añadido a favoritos. Está en Reglas.
# Searches for all broadcasts with this title.
show-alike = Todas las emisiones
# $state: what the guide server knows of the timer, from its recorder or box.
show-booked-on = { $state ->
    [running] Programado en { $device }. Se está grabando.
    [completed] Grabado en { $device }.
    [failed] Programado en { $device }. La grabación falló.
    [missing] Programado en { $device }, que ya no tiene el temporizador.
   *[other] Programado en { $device }.
}
show-cancel-on = Cancelar en { $device }


## Series and keywords

series-recorded-hint = Se graba cada episodio, una sola vez.
series-keywords-hint = Se graban los programas que tienen todas estas palabras en el título, cada episodio una sola vez.
series-remove-favourite = Quitar { $title }
series-favourite-removed = Quitado de favoritos.
series-any-channel = Cualquier canal
# Channel and time of day: BBC One, about 20:15
series-channel-about = { $channel }, hacia las { $time }
series-quality = Calidad
series-prefer-hd = Preferir HD
series-hd-only = Solo HD
series-prefer-sd = Preferir SD
series-sd-only = Solo SD
series-save = Guardar
series-saved = Guardado.
series-stop = Dejar de grabar
series-stop-question = ¿Dejar de grabar { $name }? Se cancelan sus temporizadores. Las grabaciones ya hechas se conservan.
series-stopped = { $name } ya no se grabará.


## Rules

rules-new = Nueva regla
rules-empty = No hay reglas
rules-empty-next = Cree una regla, o elija un programa en la <link>guía</link> y grabe toda la serie.
# What kind of entry a row of the list is.
rules-kind-series = Serie
rules-kind-keyword = Palabra clave
rules-kind-favourite = Favorito
rules-paused = En pausa
# The next recording: Next: Today 20:15 on BBC One
rules-next = Próxima: { $at } en { $channel }
rules-next-none = Ninguna grabación prevista
rules-change = Cambiar
rules-favourite-line = Solo está marcado: no se graba nada.
# A rule in one line: New episodes on BBC One, weekdays after 18:00, keep the newest 5
rules-line-and = { $first }, { $more }
rules-line-what = { $what ->
    [new] Episodios nuevos
    [first] Primer pase de cada episodio
    [new-first] Primer pase de cada episodio nuevo
   *[all] Todos los programas
}
rules-line-what-on = { $what ->
    [new] Episodios nuevos en { $channels }
    [first] Primer pase de cada episodio en { $channels }
    [new-first] Primer pase de cada episodio nuevo en { $channels }
   *[all] Todos los programas en { $channels }
}
# The end of a list of channels: BBC One, BBC Two and 3 others
rules-line-others = { $count ->
    [one] 1 más
   *[other] { $count } más
}
rules-line-words = { $place ->
    [all] «{ $words }» en el título o la descripción
   *[title] «{ $words }» en el título
}
rules-line-expression = { $place ->
    [all] el título o la descripción coincide con { $expression }
   *[title] el título coincide con { $expression }
}
rules-line-series = una serie de la guía
rules-line-genres = género: { $genres }
rules-line-without = sin «{ $words }»
rules-line-weekdays = de lunes a viernes
rules-line-weekend = fines de semana
rules-line-after = a partir de las { $from }
rules-line-before = antes de las { $until }
rules-line-between = entre las { $from } y las { $until }
# weekdays after 18:00
rules-line-days-and-time = { $days } { $time }
# The length of a show
rules-line-least = { $least } como mínimo
rules-line-most = { $most } como máximo
rules-line-length = de { $least } a { $most }
rules-line-keep = { $count ->
    [one] se conserva la más reciente
   *[other] se conservan las { $count } más recientes
}
rules-field-words = Palabras del título
rules-field-words-all = Palabras del título o la descripción
rules-field-words-hint = Todas, en cualquier orden; las comillas mantienen juntas las palabras
rules-field-expression = Expresión regular
rules-field-expression-hint = Un patrón para varios títulos: ^(Noticias|El tiempo)
rules-field-channels = Canales
rules-channels-find = Buscar un canal
rules-field-new = Solo episodios nuevos
rules-more = Más condiciones
rules-group-show = El programa
rules-group-time = El horario
rules-group-recording = La grabación
rules-field-name = Nombre de la regla
rules-field-all-text = Buscar también en subtítulo y descripción
rules-field-without = Palabras excluidas
rules-field-without-hint = Ninguna puede estar en el título ni en la descripción; las comillas mantienen juntas las palabras
rules-field-genres = Géneros
rules-field-categories = Otras categorías de la guía
rules-field-categories-hint = Separadas por comas
rules-field-days = Días
rules-field-from = Empieza desde
rules-field-until = Empieza antes de
rules-field-min = Duración mínima (minutos)
rules-field-max = Duración máxima (minutos)
rules-field-first = Solo el primer pase de cada episodio
rules-field-keep = Grabaciones que se conservan
rules-field-keep-hint = Una nueva sustituye a la más antigua
rules-field-priority = Prioridad (0 a 100)
rules-field-folder = Carpeta
rules-field-folder-hint = Dentro de la carpeta de grabaciones: Cine/Domingo
rules-field-paused = En pausa: de momento no graba nada
rules-preview = Vista previa
rules-preview-start = Indique palabras, una expresión o un género para ver qué se grabaría.
rules-preview-looking = Buscando programas…
rules-preview-none = Ningún programa de las próximas dos semanas cumple las condiciones.
rules-preview-records = { $total ->
    [one] Graba { $records } de 1 programa en las próximas dos semanas.
   *[other] Graba { $records } de { $total } programas en las próximas dos semanas.
}
rules-preview-paused = { $total ->
    [one] En pausa: grabaría { $records } de 1 programa en las próximas dos semanas.
   *[other] En pausa: grabaría { $records } de { $total } programas en las próximas dos semanas.
}
rules-preview-many = Coinciden tantos programas que solo se cuentan los anteriores a { $at }: graba { $records } de { $total }.
rules-preview-unidentified = { $count ->
    [one] La guía no identifica el episodio de uno de ellos: si se repite, se grabaría otra vez.
   *[other] La guía no identifica el episodio de { $count } de ellos: si se repiten, se grabarían otra vez.
}
rules-preview-displaced = Otras grabaciones perderían una parte:
# News, Today 20:00–20:15: 5 min missing
rules-preview-loses = { $title }, { $when }: faltan { $lost }
rules-preview-loses-all = { $title }, { $when }: no se graba
rules-preview-unplaced = No hay ningún sintonizador libre para:
# A show with its time: News, Today 20:00
rules-preview-at = { $title }, { $at }
rules-preview-space = Necesita unos { $needs } en el disco; hay { $free } libres.
rules-preview-no-space = Necesita unos { $needs } en el disco, pero solo hay { $free } libres.
rules-preview-first = Solo aparecen los primeros { $count }.
rules-preview-list = Programas que cumplen las condiciones
rules-saved-exceeds = La regla está guardada, pero no se puede grabar todo.
# Chips: what becomes of a show that fits a rule.
rules-fate-records = Se graba
rules-fate-noTuner = Sin sintonizador
rules-fate-ordered = Ya programado
rules-fate-otherAiring = Otro pase
rules-fate-recorded = Ya grabado
rules-fate-declined = Descartado
rules-fate-repeat = Repetición
rules-fate-later = Pase posterior
rules-fate-noRoom = Límite alcanzado
rules-reason-noTuner = A esa hora están ocupados todos los sintonizadores.
rules-reason-unidentified = La guía no dice qué episodio es.
rules-reason-ordered = Ya lo ha programado usted u otra regla.
rules-reason-otherAiring = Se graba otro pase de este episodio.
rules-reason-recorded = Este episodio ya se ha grabado.
rules-reason-declined = Usted canceló la grabación de este episodio.
rules-reason-repeat = Es una repetición, y la regla solo admite episodios nuevos.
rules-reason-later = La regla solo admite el primer pase.
rules-reason-noRoom = La cuenta ha alcanzado un límite.
# A button at a show: opens the dialog of a rule with the show’s title and channel.
rules-from-show = Grabar parecidos…
# A button beside the results of a search.
rules-from-search = Crear una regla…
# What is wrong with a field of the dialog.
rules-mistake-name = Falta el nombre o es demasiado largo.
rules-mistake-words = Estas palabras son demasiado largas o no contienen letras ni cifras.
rules-mistake-expression = Esta expresión no se puede usar: revise los paréntesis. Quizá sea demasiado larga o use una función no admitida, como (?=…).
rules-mistake-number = Este número es demasiado pequeño, demasiado grande o no es un número entero.
rules-mistake-folder = Escriba nombres separados por /, sin caracteres especiales: Cine/Domingo


## Channels and listings

channels-search = Buscar canales
channels-count = { $count ->
    [one] 1 canal.
    [many] { $count } de canales.
   *[other] { $count } canales.
} En los listados, pero no en la guía: { $unmatched }. Sin listado: { $bare }.
channels-unmatched = En los listados, pero no en la guía
channels-unmatched-list = Canales de los listados sin asociar
channels-in-guide = En la guía
channels-in-guide-list = Canales de la guía
channels-no-programmes = Sin programas
channels-until = Programas hasta: { $at }
# The channel number on the remote control; several are separated by commas.
channels-number = Número { $number }
# The triplet names a service of a DVB network: three numbers.
channels-no-triplet = Sin triplete
channels-no-listing = Sin listado
channels-listed-as = En el listado
channels-is = Canal
channels-matched = Asociación
channels-note = Nota
channels-set = Fijado a mano
channels-pending = Los listados se están leyendo con este ajuste. Vuelva a mirarlo dentro de un momento.
channels-target = Canal de la guía
# ONID/TSID/SID is a triplet; lcn, name and ignore are typed as they stand here.
channels-target-text = O bien ONID/TSID/SID, lcn N, name NOMBRE o ignore
channels-use = Usar este canal
channels-used = Ajuste guardado. Los listados se están leyendo de nuevo.
channels-automatic = Asociar automáticamente
channels-automatic-done = El canal vuelve a asociarse automáticamente.
channels-owners-only = Solo los propietarios de la primera cuenta de este servidor pueden asociar canales de los listados.
# How a channel of a listing was matched with one of the guide.
channels-by-table = a mano
channels-by-before = como antes
channels-by-triplet = por el triplete
channels-by-name = por el nombre
channels-by-short-name = por el nombre corto
channels-by-known-name = por un nombre conocido
channels-by-lcn = por el número de canal
channels-by-new = añadido como canal
channels-by-ignored = omitido
channels-by-taken = ocupado por otro canal de un listado
listings-title = Listados de programación
listings-one = Listado { $name }
listings-unread = Todavía no se ha leído.
listings-read = { $programmes ->
    [one] 1 programa
    [many] { $programmes } de programas
   *[other] { $programmes } programas
}; lectura: { $at }; { $flaws ->
    [0] sin defectos
    [one] 1 defecto
    [many] { $flaws } de defectos
   *[other] { $flaws } defectos
}.
# $reason is technical and in English.
listings-unreadable = No se puede leer (desde: { $at }), así que se sigue usando el contenido anterior: { $reason }
listings-pending = Se está leyendo de nuevo. Vuelva a mirarlo dentro de un momento.
listings-flaw = { $kind ->
    [ampersand] Un & suelto
    [less-than] Un < suelto
    [entity] Una entidad desconocida
    [character] Un carácter no permitido
    [encoding] Una codificación de caracteres errónea
    [tag] Una etiqueta defectuosa
    [element] Un elemento fuera de lugar
    [channel] Un canal defectuoso
    [time] Una hora defectuosa
    [zone] Una hora sin zona horaria
    [stop] Un final ausente o defectuoso
    [overlap] Programas que se solapan
    [duplicate] Un programa repetido
    [title] Un título ausente
    [number] Un número de episodio defectuoso
   *[other] Un defecto
}, { $count ->
    [one] una vez
    [many] { $count } de veces
   *[other] { $count } veces
}{ $leftOut ->
    [0] .
   *[other] ; omitidos: { $leftOut }.
}
# $reason is technical and in English.
listings-line = Línea { $line }: { $reason }
listings-zone = Zona horaria de { $name }
listings-zone-stated = Según el listado
listings-zone-set = Aplicar
listings-zone-done = { $name } se está leyendo de nuevo con esta zona horaria.
reception-none-yet = El grabador aún no ha recibido los canales de la guía.
reception-all = { $count ->
    [one] Se recibe el único canal de la guía.
    [many] Se reciben los { $count } de canales de la guía.
   *[other] Se reciben los { $count } canales de la guía.
}
reception-some = Canales de la guía que ningún sintonizador recibe: { $missing } de { $count }.
reception-missing = Sin recepción
reception-missing-list = Canales que ningún sintonizador recibe
# $services: triplets, each three numbers.
reception-why = { $name }: ningún sintonizador recibe { $services }.
reception-why-unknown = { $name }: ningún sintonizador ofrece un servicio con este número o nombre.
reception-service = Servicio de { $name }
reception-assign = Asignar { $name }
reception-assigned = { $name } corresponde ahora a { $service }.
reception-watch-live = Ver en directo
reception-list = Canales recibidos
# $channel: number and name.
reception-watch = Ver { $channel }
reception-by-hand = Asignados a mano
reception-is = { $name }: { $service }
reception-automatic = Asociar { $name } automáticamente
reception-automatic-done = { $name } vuelve a asociarse automáticamente.


## Devices

devices-none = Todavía no hay ninguno. Los decodificadores y grabadores aparecen aquí cuando inician sesión con su cuenta.
devices-silent-after = { $days ->
    [one] Un dispositivo figura como «sin contacto» tras 1 día sin noticias de él.
    [many] Un dispositivo figura como «sin contacto» tras { $days } de días sin noticias de él.
   *[other] Un dispositivo figura como «sin contacto» tras { $days } días sin noticias de él.
}
devices-silent = sin contacto
devices-model = Modelo
devices-number = Número
devices-identity = Identificador
devices-last-contact = Último contacto
devices-never = Nunca ha iniciado sesión
devices-name = Nombre
devices-rename = Cambiar nombre
devices-renamed = Nombre cambiado.
devices-remove = Quitar
devices-remove-question = ¿Quitar { $name }? Si un decodificador vuelve a iniciar sesión, reaparece aquí.
devices-removed = Quitado.
devices-details = Recepción y registro
devices-not-scanned = No ha comunicado ninguna búsqueda de canales.
devices-scanned = { $count ->
    [one] 1 servicio recibido; búsqueda: { $at }.
    [many] { $count } de servicios recibidos; búsqueda: { $at }.
   *[other] { $count } servicios recibidos; búsqueda: { $at }.
}
devices-receives-all = Incluyen todos los canales de la región.
devices-not-received = { $count ->
    [one] No se encontró 1 canal de la región: { $names }.
    [many] No se encontraron { $count } de canales de la región: { $names }.
   *[other] No se encontraron { $count } canales de la región: { $names }.
}
devices-no-log = No ha enviado su registro.
devices-log = Últimas líneas del registro, las más recientes primero
# Chooses the device that records.
devices-recorded-by = Grabar en


## Users

users-hint = Cada persona tiene un nombre y una contraseña. Los decodificadores y grabadores también inician sesión como usuarios: cree un miembro para cada uno.
users-add-title = Añadir un usuario
users-add = Añadir
users-name = Nombre
users-rights = Permisos
users-may-owner = Propietario: puede hacerlo todo y gestionar usuarios
users-may-member = Miembro: puede ver, programar y gestionar decodificadores
users-may-viewer = Espectador: solo puede ver
# Marks of a user.
users-role-owner = propietario
users-role-member = miembro
users-role-viewer = espectador
users-you = usted
users-since = Creado
users-sessions = Sesiones abiertas
users-timers = Temporizadores
users-rules = Series y palabras clave
users-give = Cambiar permisos
users-given = { $name } tiene ahora estos permisos y debe volver a iniciar sesión.
users-remove = Quitar
users-remove-question = ¿Quitar { $name }? Se cerrará de inmediato la sesión del usuario y de todos sus decodificadores. Los temporizadores y las reglas se conservan.
users-removed = Quitado.
users-change-password = Cambiar contraseña…
users-new-password = Contraseña nueva para { $name }
users-set-password = Guardar contraseña
users-password-set = { $name } tiene una contraseña nueva y debe volver a iniciar sesión.


## Signing in

sign-in-verb = Iniciar sesión
sign-in-guide-server = Servidor de guía
sign-in-name = Nombre
sign-in-email = Correo electrónico
sign-in-name-or-email = Nombre o correo electrónico
sign-in-password = Contraseña
sign-in-new-password = Contraseña (al menos 8 caracteres)
sign-in-region = Región
sign-in-create = Crear cuenta
sign-in-create-instead = Crear una cuenta…
sign-in-have-account = Ya tengo cuenta
# The words in angle brackets are a file name.
sign-in-no-account = Todavía no hay ninguna cuenta. Para crearla, abra el enlace del archivo <code>first-account</code>, que está en la carpeta de datos del servidor y que solo puede leer el propietario del archivo.
sign-in-first-account = Todavía no hay ninguna cuenta. Cree una para su hogar. Los grabadores y decodificadores también inician sesión con ella.
sign-in-another-account = Cree una cuenta para su hogar. Los grabadores y decodificadores también inician sesión con ella.
sign-in-wrong = El nombre o la contraseña no son correctos.
sign-in-link-used = Este enlace ya se usó o ha caducado. Obtenga uno nuevo.
sign-in-no-user = Ningún usuario tiene contraseña todavía.
sign-in-no-password = ¿Sin contraseña?
# Commands stand in angle brackets; translate NAME.
sign-in-by-command = <code>recorderd web open</code>, en el equipo del grabador, muestra un enlace que inicia sesión en un navegador. <code>recorderd web password NOMBRE</code> establece la contraseña de un usuario.
sign-in-not-set-up = Este grabador aún no está configurado. <code>recorderd setup --web</code> ha mostrado un enlace en el terminal o en el registro. El código es la parte que sigue a <code>#link=</code>. Solo vale una vez.
sign-in-code = Código


## Setting up

# Title of the window.
setup-page = Configuración
setup-title = Configurar el grabador
setup-steps = Pasos
setup-step-guide = Servicio de guía
setup-step-recorder = Región y dispositivo
setup-step-tuners = Sintonizadores
setup-step-recordings = Grabaciones
setup-step-user = Usuario
setup-step-check = Revisar e iniciar
setup-continue = Continuar
setup-more = Más opciones
setup-timers-from = ¿De dónde vienen sus temporizadores?
setup-guide-own = Un servicio de guía propio, en este equipo
setup-guide-other = Otro servicio de guía
setup-guide-address = Dirección
setup-account = Su cuenta
setup-account-hint = Sin cuenta no se graba nada. También puede iniciar sesión más tarde.
setup-account-own = Para crear una cuenta, abra la página de su servicio de guía: puerto { $port } de este equipo.
setup-api-key = Clave de API del servicio
setup-api-key-hint = Solo la necesitan algunos servicios. La proporciona el operador del servicio.
setup-join = Unirse a un grupo de grabadores
setup-join-hint = Ejecute recorderd fleet invite en otro grabador del grupo y pegue aquí el texto que muestra.
setup-join-invitation = Invitación
setup-join-node = Nombre de este grabador en el grupo (vacío: el del equipo)
setup-join-verb = Unirse
setup-join-database-hint = O indique la base de datos del grupo y responda aquí a las demás preguntas.
setup-join-database = Dirección de la base de datos
setup-join-password = Contraseña de la base de datos
setup-join-secret = Secreto del grupo (vacío: este grabador queda en espera)
setup-join-stored = La base de datos queda anotada. Responda ahora a las demás preguntas.
setup-time-zone = Zona horaria
setup-device = Qué debe grabar este equipo
setup-device-new = Los temporizadores de un dispositivo nuevo: este grabador se registra en el servicio
setup-device-all = Los temporizadores de todos los dispositivos de la cuenta
setup-device-one = Los temporizadores de { $device }
setup-tuners-used = Sintonizadores que se usarán
setup-tuner = { $kind }, { $place }
setup-tuner-trying = Probando la recepción…
setup-tuner-untried = Sin probar todavía.
setup-tuner-works = Funciona: imagen o sonido de { $channel } al cabo de { $time }. Ofrece { $received } de los { $count } canales de la guía.
setup-tuner-sign-in = El servidor pide usuario y contraseña, o rechaza los indicados.
setup-tuner-scan = { $frequencies ->
    [one] En la lista faltan los tripletes de 1 frecuencia: el sintonizador la explora mientras ninguna grabación lo necesite.
    [many] En la lista faltan los tripletes de { $frequencies } de frecuencias: el sintonizador las explora mientras ninguna grabación lo necesite.
   *[other] En la lista faltan los tripletes de { $frequencies } frecuencias: el sintonizador las explora mientras ninguna grabación lo necesite.
}
setup-tuner-none = No recibe ninguno de los { $count } canales de la guía.
# $examples: names of some of the services.
setup-tuner-others = No recibe ninguno de los { $count } canales de la guía. Ofrece { $services ->
    [one] 1 servicio, { $examples }, que se puede asignar a un canal
    [many] { $services } de servicios, como { $examples }, que se pueden asignar a canales
   *[other] { $services } servicios, como { $examples }, que se pueden asignar a canales
} en la página Sintonizadores.
setup-tuner-silent = { $channel }: no llegó imagen ni sonido.
# $reason is a whole sentence.
setup-tuner-not-received = { $channel } no se recibe: { $reason }
setup-tuner-user = Usuario de { $place }
setup-tuner-password = Contraseña de { $place }
setup-tuner-sign-in-verb = Iniciar sesión en { $id }
setup-tuner-try = Probar { $id } de nuevo
setup-tuner-remove = Quitar { $id }
setup-tuner-removed = Quitado.
setup-look = Buscar sintonizadores
setup-looked = La búsqueda ha terminado.
setup-found-none = No hay ninguna tarjeta DVB en el equipo ni responde ningún servidor en sus redes.
setup-found = Sintonizadores encontrados
# $tuner: kind, address and name of a tuner that was found.
setup-use = Usar { $tuner }
setup-add-by-hand = Añadir un sintonizador por su dirección
setup-add = Añadir y probar
setup-kind = Tipo de sintonizador
setup-channel-list = Lista de canales: archivo en el equipo del grabador
setup-channel-list-optional = Lista de canales: archivo en el equipo del grabador (opcional)
setup-simulator = Probar recorderd sin sintonizador
setup-simulator-hint = La emisora simulada sustituye a la antena. Iníciela con <code>recorderd broadcaster</code>.
setup-simulator-add = Añadir el simulador
setup-kind-hdhomerun = HDHomeRun
setup-kind-satip = Servidor SAT>IP
setup-kind-tvheadend = Tvheadend
setup-kind-enigma2 = Receptor Enigma2
setup-kind-mirakurun = Mirakurun
setup-kind-dvb = Tarjeta DVB del equipo del grabador
setup-kind-url = Lista de IPTV (M3U)
setup-kind-file = Archivo de flujo de transporte (TS)
setup-kind-mock = Emisora simulada
setup-place-hdhomerun = Dirección del dispositivo
setup-place-satip = Nombre o dirección del servidor
setup-place-tvheadend = Dirección del servidor
setup-place-enigma2 = Dirección del receptor
setup-place-mirakurun = Dirección del servidor
setup-place-dvb = Número de la tarjeta
setup-place-url = Ruta de la lista M3U
setup-place-file = Ruta del archivo
setup-place-mock = Dirección de la emisora
setup-folder = Carpeta de grabaciones, en el equipo del grabador
setup-before = Segundos de margen antes de cada emisión
setup-after = Segundos de margen después de cada emisión
setup-user-hint = Con este nombre y esta contraseña iniciará sesión cuando abra este grabador desde otro equipo.
setup-check-account = Cuenta
setup-check-no-account = Ninguna. Puede iniciar sesión más tarde.
setup-check-device = Graba
setup-check-padding = Márgenes
setup-padding = { $before } antes, { $after } después
setup-folder-there = { $folder }; { $free } libres
setup-folder-new = { $folder }, se creará; { $free } libres
setup-check-user = Usuario
setup-check-fleet = Grupo
setup-check-commands = Comandos que ejecutará el grabador
setup-check-file = Archivo de configuración
setup-write = Guardar e iniciar
setup-written = La configuración se ha guardado.
setup-starting = La configuración se ha guardado. El grabador está arrancando…
# Refused answers. $reason is technical and in English.
setup-refused-address = Escriba una dirección como https://guide.example/api, sin nombre de usuario.
setup-refused-tuner = No se puede usar este sintonizador. Compruebe la dirección y la lista de canales: { $reason }
setup-refused-tuner-password = El servidor rechaza este usuario o esta contraseña.
setup-refused-folder-path = Escriba una ruta absoluta, por ejemplo /srv/recordings.
setup-refused-folder-system = Esta carpeta es del sistema. Elija una carpeta solo para grabaciones.
setup-refused-folder-file = La ruta lleva a un archivo, no a una carpeta.
setup-refused-folder-new = Esta carpeta no existe y no se puede crear. Créela en el equipo del grabador.
setup-refused-folder-forbidden = El grabador no puede escribir en esta carpeta. Dele permiso o elija otra carpeta.
setup-refused-folder-full = Hay muy poco espacio libre. Elija otro disco.
setup-refused-written = Entretanto se ha creado un archivo de configuración. No se modifica.
setup-refused-invitation = Esta invitación no está completa. Copie todo el texto.
setup-refused-fleet = Este grabador no puede unirse al grupo: { $reason }


## Guide service

guide-service-timers = Temporizadores
guide-service-timers-at = Recibidos: { $at }
guide-service-no-timers = Aún no recibidos
guide-service-trouble = Problema
guide-service-since = Desde: { $at }
guide-service-again = Volver a iniciar la sesión del grabador
guide-service-hint = Use la cuenta del servicio de guía. El grabador guarda un token, no la contraseña.
guide-service-done = Sesión iniciada en el servicio de guía.
guide-service-done-until = Sesión iniciada en el servicio de guía. Válida hasta: { $day }.
# States of the recorder's sign-in.
guide-service-sign-in-needed = hay que iniciar sesión
guide-service-unreachable = sin conexión
guide-service-not-asked = sin consultar
guide-service-signed-in = sesión iniciada


## Notifications

# Line below the title: Today 20:15–21:45, ABC
notification-show = { $when }, { $channel }

notification-recorded-title = Grabación lista: { $name }
notification-damaged-title = Grabación con daños: { $name }
# 97.5 % of the programme was recorded (3.6 GB).
notification-share = Se grabó el { $share } del programa ({ $size }).
notification-share-unknown = No se sabe qué parte del programa se grabó ({ $size }).
notification-errors = { $count ->
    [0] Sin errores de imagen ni de sonido.
    [one] Un error de imagen o de sonido.
    [many] { $count } de errores de imagen o de sonido.
   *[other] { $count } errores de imagen o de sonido.
}
# $spans: 20:15:30–20:16:00 and 21:00:02–21:00:05
notification-gaps = Falta: { $spans }
notification-gaps-picture = Sin imagen: { $spans }
notification-gaps-sound = Sin sonido: { $spans }

notification-not-recorded-title = No se grabó: { $name }
notification-nothing-left = Llegó imagen o sonido, pero no queda nada en el disco.
notification-missed = El grabador no pudo empezar a tiempo. Puede que estuviera apagado.

# Two recordings want the same tuner.
notification-conflict-title = Conflicto: { $name }
notification-conflict-busy = No hay ningún sintonizador libre a esa hora.
# $recordings: Tatort (20:15–21:45) and News (20:00–20:15)
notification-conflict-holders = Los sintonizadores se necesitan para: { $recordings }
notification-holder = { $name } ({ $when })
notification-conflict-choice = Elija en el panel qué grabar.

notification-repeat-booked-title = Repetición programada: { $name }
notification-repeat-booked = Se grabará esta repetición: { $when }, { $channel }
# The first recording was damaged or missing, and a repeat replaced it.
notification-healed-title = Completa gracias a la repetición: { $name }
notification-healed = Esta repetición se grabó sin daños: { $when }, { $channel }

notification-file-title = Archivo dañado: { $name }
notification-file-changed = El archivo se modificó después de la grabación.
notification-file-truncated = Falta una parte del archivo.
notification-file-unreadable = El disco no puede leer el archivo.
notification-file-sizes = Ocupa { $size } en lugar de { $whole }.
notification-file-kept = recorderd deja el archivo como está: { $file }

notification-disk-low-title = El disco está casi lleno
notification-disk-low = Las grabaciones que no quepan cederán su sitio a otras más importantes. Elimine las que ya no necesite.
notification-disk-full-title = El disco está lleno
notification-disk-full = No se grabará nada hasta que haya espacio libre. Elimine grabaciones que ya no necesite.
notification-disk-offline-title = Falta el disco de grabaciones
notification-disk-offline = No se grabará nada hasta que el disco vuelva a estar disponible.
# The disk with the recorder's own files, not the one with recordings.
notification-reserve-title = El disco de la carpeta de datos está lleno
notification-reserve = El grabador continúa con una pequeña reserva. Libere espacio en ese disco.
notification-data-title = No se puede escribir en la carpeta de datos
notification-data = Las grabaciones en curso continúan, pero no empieza ninguna otra. Compruebe el disco de la carpeta de datos.

notification-sign-in-title = Hay que iniciar sesión
notification-sign-in = Inicie sesión en el servicio de guía desde el panel. Hasta entonces no llegarán temporizadores nuevos.
notification-guide-failed-title = No se puede usar el servicio de guía
notification-guide-failed = Ocurre desde hace { $duration }. Las grabaciones planificadas continúan, pero no llegan temporizadores nuevos.
notification-guide-shrunk-title = El servicio de guía ha perdido temporizadores
notification-guide-shrunk = En la lista del servicio solo hay { $listed } de los { $held } temporizadores próximos. El grabador los conserva todos hasta estar seguro de que se eliminaron.
notification-secrets-title = No se puede usar el archivo de secretos
notification-secrets-earlier = Se usan las contraseñas anteriores hasta que se reinicie el grabador.
notification-secrets-none = Las grabaciones planificadas continúan, pero no llegan temporizadores nuevos y los sintonizadores que piden contraseña no funcionan.

notification-tuner-title = El sintonizador { $tuner } no funciona
notification-tuner = Falló varias veces seguidas. El plan no cuenta con él hasta que vuelva a funcionar.
notification-clock-title = Puede que el reloj del grabador no esté en hora
notification-clock = Compruebe la fecha y la hora del equipo. Hasta que sean correctas, el grabador no termina ninguna grabación según este reloj.
notification-woke-late-title = El equipo se activó demasiado tarde
notification-woke-late-wanted = Previsto: { $time }
notification-woke-late-came = Activo: { $time }

# A piece of work took all of the computing time.
notification-set-aside-title = El grabador se bloqueó y se reinició
notification-set-aside-rest = La tarea que lo bloqueó se suspende durante { $duration }.
notification-work-guide-document = Mientras tanto, un hilo aparte lee este tipo de documentos.
notification-work-guide-list = Mientras tanto, el grabador no descarga esta lista y conserva lo que ya tiene.
notification-work-decision = Esta tarea no se omite, porque de ella dependen grabaciones.
notification-work-hook = Mientras tanto, los comandos propios (hooks) de esta grabación esperan.
notification-work-broadcast-guide = Mientras tanto, no se recogen los datos de programación de la emisión.
notification-work-stored-document = Esta tarea no se omite, porque el grabador depende de ella.
# $work: a technical name, always in English
notification-set-aside-work = Para soporte técnico: { $work }

# Reasons of a failure, each on a line of its own
notification-why-busy = Todos los sintonizadores estaban en uso.
notification-why-in-use = Otra aplicación estaba usando el sintonizador.
notification-why-channel = El grabador no sabe cómo recibir este canal. Asígnelo en la página Sintonizadores.
notification-why-none = Ningún sintonizador puede recibir este canal.
notification-why-clock = El reloj del grabador no estaba en hora en ese momento.
notification-why-signal = El sintonizador no tiene señal. Compruebe la antena y su cable.
notification-why-tuner-gone = El sintonizador no responde. Compruebe la alimentación y la red.
notification-why-tuner-password = El servidor del sintonizador rechaza la contraseña.
notification-why-silent = No llegó imagen ni sonido.
# A part of the programme was recorded.
notification-why-interrupted = La recepción se interrumpió.
notification-why-wrong = El sintonizador entregó otro canal.
notification-why-encrypted = El canal está cifrado.
notification-why-excess = El sintonizador entregó los datos más deprisa de lo que puede un canal.
notification-why-capture = Un error del grabador interrumpió la grabación.
notification-why-full = El disco estaba lleno.
notification-why-write = No se pudo escribir la grabación en el disco.
notification-why-storage = El disco de grabaciones no respondió.
notification-why-guide-gone = No responde. Compruebe la red y la conexión a internet.
notification-why-guide-certificate = El certificado del servicio no es válido.
notification-why-guide-errors = Responde con errores.
notification-why-log = El motivo está en el registro del grabador.

notification-test-title = Prueba de recorderd
notification-test = Esto es una prueba de recorderd: las notificaciones llegan aquí.
notification-mail-subject = recorderd: { $title }
# Name of the entity in Home Assistant
notification-entity = Novedades
# Last line of an e-mail: Today 20:15 (Europe/Berlin)
notification-mail-time = { $when } ({ $zone })


## Messages to the guide service

# A guide service shows them beside a timer, in at most 500 letters.
# $tuner: the name of a tuner. $span: 20:05–21:40. $at, $since, $time: a time of day, such as 20:05 or 20:05:30.
report-scheduled = Planificada en el sintonizador { $tuner }, { $span }.
report-no-tuner = No hay ningún sintonizador libre.
report-interrupted = Interrumpida.
report-trying = El grabador seguirá intentándolo hasta el final, { $span }.
# $late: a length, such as 40 s; “none” if it began in time.
report-recording = Grabación en curso en el sintonizador { $tuner } desde las { $since }{ $late ->
    [none] { "" }
   *[other] , con { $late } de retraso
}{ $interruptions ->
    [0] { "" }
    [1] , interrumpida una vez
   *[other] , interrumpida { $interruptions } veces
}.
report-withdrawn = Cancelada.
report-withdrawn-kept = Cancelada. Se conserva la parte ya grabada.
report-order-kept = Sigue vigente el temporizador anterior.
# $reason is technical and in English.
report-not-understood = No se entiende: { $reason }

# $figures is a list: 97 % of the event, 3.00 GB, no errors
report-recorded = Grabada{ $verdict ->
    [perfect] , perfecta
    [good] , buena
    [damaged] , dañada
    [unusable] , inservible
   *[none] { "" }
}: { $figures }.
report-recorded-part = Grabada solo en parte{ $verdict ->
    [perfect] , perfecta
    [good] , buena
    [damaged] , dañada
    [unusable] , inservible
   *[none] { "" }
}: { $figures }.
report-recorded-unverified = Grabada, pero sin comprobar: { $figures }.
report-share = { $share } % del programa
report-gigabytes = { NUMBER($size, minimumFractionDigits: 2, maximumFractionDigits: 2) } GB
report-megabytes = { NUMBER($size, minimumFractionDigits: 1, maximumFractionDigits: 1) } MB
report-no-errors = sin errores
report-no-clock = { $figures }; la señal no lleva reloj, así que no se sabe qué parte del programa contiene
report-plain-name = con un nombre sencillo, porque el disco no admitió el nombre completo
report-flaw-continuity = { $count ->
    [one] { $count } error de continuidad
    [many] { $count } de errores de continuidad
   *[other] { $count } errores de continuidad
}
report-flaw-tables = { $count ->
    [one] { $count } error en las tablas
    [many] { $count } de errores en las tablas
   *[other] { $count } errores en las tablas
}
report-flaw-transport = { $count ->
    [one] { $count } error de transporte
    [many] { $count } de errores de transporte
   *[other] { $count } errores de transporte
}
report-flaw-scrambled = { $count ->
    [one] { $count } paquete cifrado
    [many] { $count } de paquetes cifrados
   *[other] { $count } paquetes cifrados
}
report-flaw-clock = { $count ->
    [one] { $count } salto del reloj
    [many] { $count } de saltos del reloj
   *[other] { $count } saltos del reloj
}
report-flaw-damaged = { $count ->
    [one] { $count } paquete dañado
    [many] { $count } de paquetes dañados
   *[other] { $count } paquetes dañados
}
report-flaw-junk = { $count ->
    [one] { $count } byte sobrante
    [many] { $count } de bytes sobrantes
   *[other] { $count } bytes sobrantes
}
# $spans is a list of times: 20:05:10–20:05:12, 20:14:30–20:45
report-gap = falta { $spans }
report-gap-picture = sin imagen { $spans } (con sonido)
report-gap-sound = sin sonido { $spans }
report-hollow-picture = los paquetes de la imagen llegaron, pero no se pueden decodificar
report-hollow-picture-unchecked = los paquetes de la imagen llegaron, pero parecen vacíos, y ffmpeg no pudo comprobarlos
report-hollow-sound = los paquetes del sonido llegaron, pero no se pueden decodificar
report-hollow-sound-unchecked = los paquetes del sonido llegaron, pero parecen vacíos, y ffmpeg no pudo comprobarlos
# $name: language and codec of a second picture or sound, such as deu, AC-3
report-track-picture = otra pista de vídeo ({ $name }) ausente { $spans }
report-track-picture-never = otra pista de vídeo ({ $name }) anunciada, pero nunca emitida
report-track-sound = otra pista de audio ({ $name }) ausente { $spans }
report-track-sound-never = otra pista de audio ({ $name }) anunciada, pero nunca emitida

# $why, $trouble: whole sentences. English has no use for report-tuner-trouble: its sentences name the tuner.
report-not-recorded = No se grabó. { $why }
report-tuner-trouble = { $trouble } (sintonizador { $tuner })
report-details = ({ $details })
# Labels with values of a trouble, at the end of messages and in notifications.
trouble-value-file = Archivo: { $file }
trouble-value-system = Código de error: { $code }
trouble-value-free = Espacio libre en el disco: menos de { $size }
trouble-value-silent = Tiempo sin recepción: { $length }
trouble-value-clock-ahead = El reloj iba adelantado: { $by }
trouble-value-clock-behind = El reloj iba atrasado: { $by }
trouble-value-message = Mensaje del software: { $message }
report-nothing-left = No se grabó: llegó imagen o sonido, pero no queda nada en el disco.
report-nothing-arrived = No se grabó: no llegó imagen ni sonido.
report-too-late = No se grabó: pasó su hora antes de que pudiera empezar.
report-was-asleep = No se grabó: el grabador estaba suspendido, { $span }.
report-was-off = No se grabó: el grabador estaba apagado, { $span }.
report-storage-offline = Terminada. Falta el disco (desde: { $at }). El archivo se finalizará cuando vuelva a estar disponible.
report-storage-slow = Terminada. El disco no responde (desde: { $at }), así que el archivo aún no se ha finalizado.
report-node-away = Terminada. Otro grabador tiene una parte y está apagado (desde: { $at }). El archivo se finalizará cuando vuelva a funcionar.
report-unfinished = Terminada. No se puede finalizar el archivo (desde: { $at }). El grabador seguirá intentándolo. { $why }

# $held is a list: sat1 records “News” 20:05–21:40; sat2 records “Tatort” 20:15–21:45
report-conflict = Conflicto: no hay ningún sintonizador libre.
report-conflict-held = Conflicto: no hay ningún sintonizador libre ({ $held }).
report-holder = { $tuner } graba «{ $name }» { $span }
report-remedy-withdraw = Sin «{ $name }» se grabaría.
report-remedy-priority = Con la prioridad { $priority } se grabaría.
report-remedy-priority-loses = Con la prioridad { $priority } se grabaría, pero estas grabaciones perderían una parte: { $names }.
report-remedy-tuner = Con otro sintonizador como { $tuner } se grabaría.
report-remedy-none = Ningún cambio bastaría por sí solo: ni quitar otra grabación, ni subir la prioridad, ni añadir un sintonizador.
# $day: Thu 26 Nov
report-remedy-repeat = Se grabaría la repetición: { $day }, { $time }, { $channel }.
report-repeat-booked = La repetición está programada: { $day }, { $time }, { $channel }.
report-repeat-healed = La repetición se grabó completa: { $day }, { $time }, { $channel }.
# $code: the technical name of an error, always in English
report-doubt = No es seguro: el sintonizador { $tuner } está fallando (desde: { $since }, { $code }). Se intentará grabar de todos modos.
report-trim-start = Solo en parte, a partir de las { $at }: antes no hay ningún sintonizador libre.
report-trim-start-held = Solo en parte, a partir de las { $at }: antes no hay ningún sintonizador libre ({ $held }).
# $parts is a list of the next three. $name: a title in quotes, or “another recording”.
report-trim = Márgenes acortados: { $parts }.
report-trim-before = { $length } menos antes, por { $name }
report-trim-after = { $length } menos después, por { $name }
report-trim-late = empieza con un retraso de hasta { $length }, después de { $name }
report-title = «{ $name }»
report-another = otra grabación
report-day = { $weekday } { $date }

# Lists of any length: of items, of items with commas, of sentences
report-items = { $before }, { $next }
report-groups = { $before }; { $next }
report-sentences = { $before } { $next }
`;
