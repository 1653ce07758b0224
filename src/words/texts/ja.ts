/** Japanese. */
export const ja = `
## Times and amounts

today = 今日
tomorrow = 明日
yesterday = 昨日
# Inside a sentence: “since yesterday 20:15”
today-inside = 今日
tomorrow-inside = 明日
yesterday-inside = 昨日
# Today 20:15
day-and-time = { $day } { $time }
days = { $days ->
   *[other] { $days }日
}
hours = { $hours }時間
minutes = { $minutes }分
seconds = { $seconds }秒
# 1 h 30 min
larger-and-smaller = { $larger }{ $smaller }

## Frame: around every page

frame-loading = 読み込み中…
frame-waiting = レコーダーの応答を待っています…
frame-skip = 本文へ移動
frame-pages = ページ
# The title of the window. $page is the name of a page, $name that of the program.
frame-title = { $page } · { $name }
# $time has seconds: 20:15:03
frame-silent = { $time }からレコーダーの応答がありません。表示内容はその時点のものです。再接続しています…
frame-part-missing = このページの一部を読み込めませんでした。レコーダーが応答すると自動的に再読み込みします。
# Read out when the page gets every change at once
frame-live = 自動更新中
frame-connecting = 接続中…
frame-guide-server = 番組表サーバー
frame-colours = 配色：{ $theme ->
    [light] ライト
    [dark] ダーク
   *[system] システムに合わせる
}
frame-language = 言語
frame-signed-out = ログアウトしました。
frame-sign-out = ログアウト

## Navigation and common parts

# The name of a button that asks before it acts: Delete…
confirm-opens = { $label }…
confirm-keep = そのまま残す
dialog-close = 閉じる

# Names of pages, and their headings. The first five are in a bar at the bottom of a phone: about 40 letters fit in all.
nav-tonight = 今夜
nav-guide = 番組表
nav-recordings = 録画一覧
nav-rules = 自動予約
nav-more = その他
nav-devices = 機器
nav-channels = チャンネル
nav-users = ユーザー
nav-timeline = タイムライン
nav-timers = 予約一覧
nav-tuners = チューナー
nav-log = ログ
# The page More: a line under each link
more-timeline = チューナーごとの録画予定を時間順に表示
more-timers = これからの録画とこれまでの結果
more-tuners = 受信状態、チャンネル、ディスクの空き容量
more-log = レコーダーの動作記録
more-guide-service = 番組表サービス
more-guide-service-line = 番組情報と予約の取得元
more-users = この番組表サーバーを使える人
more-browser = このブラウザー
push-turn-on = 通知をオンにする
push-turn-off = 通知をオフにする
push-is-on = この端末に通知が届くようになりました。テスト通知を送信しました。
push-is-off = このブラウザーには通知が届かなくなりました。
push-insecure = ブラウザーへの通知には、安全なアドレス（https）が必要です。
push-impossible = このブラウザーは通知を受信できません。iPhoneやiPadでは、まずこのページをホーム画面に追加してください。
push-denied = ブラウザーがこのページの通知を許可していません。ブラウザーの設定で許可してください。
push-refused = ブラウザーのプッシュサービスに拒否されました。あとでもう一度お試しください。
more-recorder = レコーダー
more-version = recorderd { $version }
# A button: asks the guide service for timers at once
more-sync = 今すぐ同期
more-syncing = 番組表サービスに問い合わせています。

## Tonight

# The first sentence of the start page. Tonight lasts until six in the morning.
tonight-nothing = 今夜の録画予定はありません。
tonight-only-running = { $count ->
   *[other] { $count }件を録画中です。今夜はほかに録画の予定がありません。
}
tonight-all = { $count ->
   *[other] 今夜は{ $count }件を予定どおり録画します。
}
# $planned: those that have a tuner
tonight-some = { $count ->
    [1] 今夜の録画1件は、予定どおりに録画できません。
   *[other] 今夜の録画{ $count }件のうち、予定どおり録画できるのは{ $planned }件です。
}
tonight-decisions = { $count ->
   *[other] 対応が必要な予約が{ $count }件あります。
}
tonight-now = 録画中
tonight-next = 翌朝までの予定
tonight-lost = 録画できなかった番組
tonight-new = 新着の録画
tonight-show-all = すべて表示
# The same link, read out. $of is the title of its list: “New to watch”
tonight-show-all-of = すべて表示：{ $of }
tonight-watch = 見る
tonight-watch-it = 「{ $name }」を見る
# $share is a percentage, of the broadcast and of the recording
tonight-over = { $share }経過
tonight-until = { $time }まで
tonight-until-well = { $time }まで · 途切れなし
# $day: “Yesterday”, or a date. $length: “50 min”, or “27 min left”
tonight-day-and-length = { $day } · { $length }
tonight-left = 残り{ $length }
# Nothing was recorded in this home yet
tonight-start = 録画はまだありません。<link>番組表</link>で番組を探してみましょう。
tonight-hours = { $hours ->
    [0] ディスクに録画できる時間は残り1時間未満です。
   *[other] あと約{ $hours }時間録画できます。
}
# $at: “Tomorrow 00:50”
tonight-full = ディスク満杯の見込み：{ $at }

## Decisions: conflicts and what solves them

decision-title = 対応が必要な予約
decision-searching = より良い録画計画を探しています。
# $names: one or more titles. $start and $stop: times of day.
decision-lost = { $count ->
   *[other] このままでは{ $names }を録画できません。{ $start }から{ $stop }まで、空いているチューナーがありません。
}
# $lost: a length, such as 7 min. $from: a time of day.
decision-partly = このままでは{ $names }の最初の{ $lost }を録画できません。{ $from }まで、空いているチューナーがありません。
# Somebody chose another recording before this one.
decision-settled = { $names }は録画されません。別の録画が優先されています。
# A tuner that fails is tried all the same.
decision-uncertain = { $names }は録画できないおそれがあります。チューナーの不調が続いており、ほかに空きがありません。
decision-other = このままでは{ $names }を録画できません。
# Where and when: Das Erste, Today 20:15–21:45
decision-on = { $channel }、{ $when }
decision-choices = 選択肢
# $at: a day and a time.
decision-repeat = 再放送を録画：{ $at }
decision-repeat-of = 「{ $name }」の再放送を録画：{ $at }
decision-repeat-cost = { $channel }で放送。録り逃しはありません。
decision-record = { $names }を録画
# A title and when it begins, where titles are listed: News 20:00
decision-name = 「{ $name }」（{ $time }）
decision-cost-nothing = ほかの録画に影響はありません。
decision-cost-lost = { $count ->
   *[other] { $names }は録画されません。
}
decision-cost-partly = { $count ->
   *[other] { $names }は一部が録画されません。
}
decision-cost-mixed = 録画されない番組：{ $names }。一部のみ録画：{ $partly }。
decision-cost-cancel = { $name }の予約は取り消されます。
decision-done-repeat = 「{ $name }」の再放送を予約しています。予約できしだい、元の予約を取り消します。
decision-done-priority = 「{ $name }」を優先しました。録画計画を更新しています。
decision-done-cancel = { $name }の予約を取り消しました。録画計画を更新しています。
# $tuner: the name of a tuner.
decision-add-tuner = 「{ $tuner }」と同じチューナーがもう1台あれば解決します。
decision-none = ほかの録画の取り消し、優先度の引き上げ、チューナー1台の追加のどれを行っても、それだけでは解決できません。
decision-why = 理由
decision-change = 選び直す
# $when: day and times.
decision-holder = { $tuner }：「{ $name }」を録画（{ $when }）
decision-show-all = { $count }件すべて表示


## Troubles, by error code

# One sentence says what is wrong, another what to do.
trouble-title = 問題
# $at: a day and a time, or a time.
trouble-since = 発生：{ $at }
trouble-technical = 技術情報
trouble-guide-sign-in = 番組表サービスへの再ログインが必要です。ログインするまで新しい予約は届きません。<link>ログイン</link>
trouble-guide-few = { $listed ->
   *[other] 番組表サービスの予約が{ $held }件中{ $listed }件しか見つかりません。これだけを理由に予約を取り消すことはありません。
}
trouble-clock = レコーダーの時計が正しくない可能性があります。録画は続行し、結果は時計が正しくなってから確定します。レコーダーの日付と時刻を確認してください。
trouble-clock-behind = レコーダーの時計が{ $by }遅れているようです。レコーダーの日付と時刻を確認してください。
trouble-clock-ahead = レコーダーの時計が{ $by }進んでいるようです。レコーダーの日付と時刻を確認してください。
trouble-data-disk-full = レコーダーのデータ用ディスクがいっぱいです。進行中の録画は続きます。このディスクの空き容量を増やしてください。
trouble-data-disk-low = レコーダーのデータ用ディスクがいっぱいになり、予備領域を使っています。このディスクの空き容量を増やしてください。
trouble-secrets = 保存済みのパスワードを読み取れません。予定された録画に影響はありません。
trouble-secrets-earlier = 保存済みのパスワードを読み取れません。レコーダーが再起動するまでは、以前のパスワードを使います。
trouble-no-answer = レコーダーが応答しません。
trouble-answer = レコーダーで処理できませんでした（ステータス{ $status }）。
trouble-other = 問題が発生しました。詳しくは技術情報をご覧ください。

trouble-no-tuner-free = この時間は、すべてのチューナーをほかの録画に使うため、空きがありません。
trouble-guide-unreachable = 番組表サービスに接続できません。インターネット接続を確認してください。レコーダーは接続を試み続けます。
trouble-guide-busy = 番組表サービスは現在利用できません。レコーダーは接続を試み続けます。
trouble-guide-unreadable = 番組表サービスの応答を読み取れません。設定のアドレスを確認してください。
trouble-guide-certificate = 番組表サービスとの接続が安全ではありません。レコーダーの日付とサービスの証明書を確認してください。
trouble-guide-set-aside = 番組表サービスの応答の読み取りに時間がかかりすぎました。レコーダーが自動でやり直します。
trouble-guide-signed-out = 番組表サービスへの再ログインが必要です。
trouble-guide-forbidden = このアカウントではこの操作はできません。管理者に依頼してください。
trouble-guide-not-found = この項目は番組表サービスにもうありません。
trouble-guide-refused = 番組表サービスがこの変更を受け付けませんでした。
trouble-listing = 番組データを読み込めませんでした。以前の番組データを引き続き使います。
trouble-channel = このチャンネルの受信方法がわかりません。「チューナー」のページで割り当ててください。
trouble-clock-wrong = そのときレコーダーの時計が正しくありませんでした。レコーダーの日付と時刻を確認してください。
trouble-no-tuner-capable = このチャンネルを受信できるチューナーがありません。
trouble-tuner-in-use = ほかのプログラムがチューナーを使用しています。
trouble-no-signal = チューナーに信号が届いていません。アンテナとケーブルを確認してください。
trouble-tuner-unreachable = チューナーが応答しません。電源と接続を確認してください。
trouble-tuner-forbidden = レコーダーにチューナーの使用権限がありません。権限を与えてください。
trouble-tuner-password = 保存済みのユーザー名またはパスワードがチューナーに拒否されました。
trouble-tuner-scan = チューナーでこのチャンネルが見つからなくなりました。チャンネルをもう一度スキャンしてください。
trouble-stalled = 信号が途切れました。受信状態を確認してください。
trouble-ended = チューナーからデータが届かなくなりました。
trouble-scrambled = このチャンネルにはスクランブルがかかっており、このチューナーでは解除できません。
trouble-excessive = チューナーから放送ではありえない速さでデータが届きました。アドレスを確認してください。
trouble-capture-died = 録画が予期せず停止しました。レコーダーが自動で再開します。
trouble-capture-not-started = 録画を開始できませんでした。
trouble-disk-full = 録画用ディスクがいっぱいです。録画を削除して空き容量を増やしてください。
trouble-disk-low = 録画用ディスクの空きが残りわずかです。録画を削除して空き容量を増やしてください。
trouble-write-failed = 録画用ディスクに書き込めません。ディスクを確認してください。
trouble-disk-missing = 録画用ディスクが見つかりません。接続すると、録画は自動で再開します。
trouble-disk-slow = 録画用ディスクの応答が遅すぎます。ディスクまたはファイルサーバーを確認してください。
trouble-node-away = グループ内の別のレコーダーがこの録画の一部を保持していますが、停止しています。その機器を起動してください。
trouble-file-unreadable = ファイルを読み取れません。
trouble-file-foreign = ファイルがほかのプログラムによって変更されたか、置き換えられました。
trouble-recording-unknown = この録画はもうありません。
trouble-recording-protected = この録画は保護されています。先に保護を解除してください。
trouble-index = この録画はまだ途中から再生できません。最初から再生してください。
trouble-conversion-busy = 同時に変換できる数の上限に達しています。ほかの人が視聴を終えてから、もう一度お試しください。
trouble-conversion-off = この端末で再生するには変換が必要ですが、変換はオフになっています。
trouble-conversion-failed = 変換に失敗しました。元の録画はそのまま残っています。
trouble-data-folder = レコーダーのデータを保存できません。進行中の録画は続きます。データ用ディスクを確認してください。
trouble-set-up = レコーダーの設定に誤りがあります。修正が必要な点はログに記録されています。
trouble-notify = 通知を送れませんでした。通知の設定を確認してください。
trouble-planning = 録画計画を更新できませんでした。これまでの計画に沿って録画します。
trouble-not-ready = レコーダーは起動中か処理中です。しばらくしてからもう一度お試しください。
trouble-site = コンテンツサイトから正しい応答がありませんでした。あとでもう一度お試しください。
trouble-site-sign-in = コンテンツサイトへのログインが必要です。


## States and verdicts

# Chips: one or two words.
state-planned = 予定
# Only a part will be recorded.
state-partly = 一部のみ
state-conflicted = 競合
state-tuning = 選局中
state-waiting = 再試行中
state-recording = 録画中
state-closing = 終了処理中
state-completed = 完了
state-partial = 一部録画
state-failed = 失敗
state-missed = 録り逃し
state-cancelled = 取り消し済み
verdict-perfect = 完全
verdict-good = 良好
verdict-damaged = 欠損あり
verdict-unusable = 視聴不可
file-missing = ファイルなし
file-changed = 変更あり
file-unreadable = 読み取り不可
file-truncated = 一部欠落：{ $size } / { $whole }
file-intact = 正常
file-unproven = 未検証

# Sentences about one recording.
result-planned = 録画します：{ $when }
result-partly = 一部だけ録画します：{ $when }
result-conflicted = このままでは録画されません。
result-tuning = 録画を開始しています。
result-waiting = { $stop }まで録画を試み続けます。
result-recording = { $stop }まで録画中です。
result-closing = 録画が終わり、ファイルの終了処理をしています。
result-completed = 録画が完了しました。
result-perfect = 欠けも乱れもなく、すべて録画しました。
result-good = すべて録画しました。
result-damaged = 録画に欠損があります。番組の{ $share }を録画しました。
result-unusable = 番組の{ $share }しか録画できておらず、視聴できません。
# Without figures.
result-damaged-plain = 録画に欠損があります。
result-unusable-plain = 録画は視聴できません。
result-partial = 番組の一部（{ $share }）だけを録画しました。
result-unverified = 録画しましたが、番組のどれだけが残っているかは不明です。
result-failed = 何も録画できませんでした。
result-missed = 録画されないまま放送時間が過ぎました。
result-cancelled = 予約は取り消されました。
result-clock = レコーダーの時計が正しくない可能性があります。結果は時計が正しくなってから表示します。
result-doubt = チューナー「{ $tuner }」の不調が{ $at }から続いています。それでも録画を試みます。
result-doubt-plain = チューナーの不調が続いています。それでも録画を試みます。
# $lost: a length, such as 7 min.
result-late = 番組の最初の{ $lost }は録画されません。{ $from }まで、空いているチューナーがありません。
result-less-before = 別の録画がチューナーを使うため、開始前のマージンが{ $lost }短くなります。
result-less-after = 別の録画がチューナーを使うため、終了後のマージンが{ $lost }短くなります。
result-seam = 別の録画からチューナーを切り替えるため、開始が最大{ $lost }遅れることがあります。
result-no-errors = 受信エラーはありません。
result-errors = { $count ->
   *[other] 受信エラーが{ $count }件あります。
}
# $spans: times of day with seconds.
result-missing = 欠落：{ $spans }
result-storage-missing = { $at }からディスクが見つかりません。ディスクが戻りしだい、ファイルの終了処理を行います。
result-storage-slow = { $at }からディスクの応答がないため、ファイルの終了処理がまだ完了していません。
result-node-away = { $at }から停止している別のレコーダーがこの録画の一部を保持しているため、ファイルの終了処理がまだ完了していません。
result-storage-failed = { $at }からファイルの終了処理に失敗しています。レコーダーは再試行を続けます。
repeat-booking = 再放送を予約しています：{ $channel }、{ $at }
repeat-again = 再放送をまだ予約できていません。レコーダーが再試行します。
repeat-booked = 再放送を予約しました：{ $channel }、{ $at }
repeat-needless = すべて録画できたため、再放送の録画は不要です。
repeat-healed = 再放送ですべて録画しました。
repeat-moved = 代わりに再放送を録画します：{ $channel }、{ $at }
repeat-given-up = 再放送では補えませんでした。
repeat-not-booked = 再放送は予約されませんでした。


## Details of a recording

detail-episode = シーズン{ $season } 第{ $episode }話
# What is behind it: padding, tuner, file, reception.
detail-more = 詳細情報
detail-channel = チャンネル
detail-event = 放送時間
detail-window = マージン込み
detail-priority = 優先度
detail-tuner = チューナー
detail-reported = サービスへの報告
detail-not-reported = 未報告
reported-waiting = 待機中
reported-pending = 待機中
reported-running = 録画中
reported-completed = 完了
reported-failed = 失敗
detail-repeat = 再放送
detail-attempts = 試行回数
detail-on-disk = 録画データ
# $size: 1.5 GB
detail-size = { $parts ->
    [1] { $size }
   *[other] { $size }（{ $parts }パート）
}
detail-of-event = 番組の録画率
# $share: 99.5 %. $length: 1 h 30 min
detail-share = { $share }（{ $length }）
detail-lost-packets = ドロップパケット
detail-damaged-packets = 破損パケット
detail-encrypted-packets = スクランブルパケット
detail-file = ファイル
detail-wrong = ファイルの問題
detail-compared = 検査結果
detail-compared-at = { $verdict }（{ $at }）
detail-deleted-person = ユーザーの操作で削除されました。
detail-deleted-retention = 空き容量を確保するために削除されました。
detail-deleted-repeat = 再放送の完全な録画に置き換えられたため、削除されました。
detail-delete = 削除
detail-delete-ask = この録画を削除しますか？元に戻すことはできません。
detail-delete-verb = 完全に削除
detail-delete-done = 削除しました。
detail-protect = 保護する
detail-protect-done = 保護しました。空き容量を確保するために削除されることはありません。
detail-unprotect = 保護を解除
detail-unprotect-done = 保護を解除しました。
detail-watched = 視聴済みにする
detail-watched-done = 視聴済みにしました。
detail-unwatched = 未視聴にする
detail-unwatched-done = 未視聴にしました。
detail-verify = ファイルを検査
detail-verify-done = ファイルを検査しています。
detail-change = 予約の変更
detail-before = 開始前（分）
detail-after = 終了後（分）
detail-padding = マージンを変更
detail-padding-done = 番組表サービスでマージンを変更しました。
detail-priority-change = 優先度を変更
detail-priority-done = 録画計画を更新しています。
detail-cancel = 予約を取り消す
detail-cancel-ask = 番組表サービスの予約を取り消しますか？すでに録画した部分は残ります。
detail-cancel-verb = 取り消す
detail-cancel-done = 予約を取り消しました。

## Recordings of another recorder

imported-by = 「{ $recorder }」で録画されました。ファイルは「{ $recorder }」のものです。
imported-out = 一覧から外す
imported-out-ask = この録画を一覧から外しますか？ファイルは「{ $recorder }」に残ります。
imported-out-verb = 外す
imported-out-done = 一覧から外しました。


## What happened: the history of a timer

# Each of these is one line of a history, with its time before it.
happened-title = これまでの経過
happened-lines = { $count ->
   *[other] { $count }件
}
# The same line several times in a row.
happened-times = { $text }（{ $count }回）
# $zone: the name of a time zone, such as Europe/Berlin.
happened-technical = 技術者向けの英語の記録です。時刻のタイムゾーンは{ $zone }です。
happened-technical-plain = 技術者向けの英語の記録です。文中の時刻はレコーダーのタイムゾーンで表示されます。
# Stands for a value that an earlier version did not keep.
happened-unknown = 不明
# $since: a day and a time.
happened-started = レコーダーが起動しました。停止した日時：{ $since }
happened-clock-forward = レコーダーの時計を{ $by }進めました。
happened-clock-back = レコーダーの時計を{ $by }戻しました。
happened-clock-not-trusted = レコーダーの時計が信頼できなくなりました。これを理由に終了した録画はありません。
happened-clock-trusted = レコーダーの時計が再び信頼できるようになりました。
happened-asleep = レコーダーはスリープしていました：{ $when }
happened-off = レコーダーは停止していました：{ $when }
happened-ordered = 予約しました：{ $name }（{ $channel }、{ $when }）
happened-order-changed = 放送時間が変わりました：{ $when }
happened-priority = 優先度を{ $priority }に変更しました。
happened-padding = マージンを開始前{ $before }分、終了後{ $after }分に変更しました。
happened-override-removed = レコーダーで個別に設定した優先度とマージンを解除しました。
happened-repeat-ordered = 再放送を予約しています：{ $channel }、{ $at }
happened-repeat-booked = 再放送を予約しました。
happened-repeat-delayed = 再放送をまだ予約できていません。レコーダーが再試行します。
happened-repeat-cancelling = 再放送を録画するため、この予約を取り消しています。
happened-repeat-dropping = すべて録画できたため、再放送の予約を取り消しています。
happened-repeat-moved = 代わりに再放送を録画します。
happened-repeat-healed = 再放送ですべて録画しました。
happened-repeat-needless = 再放送の録画は不要になりました。
happened-repeat-given-up = 再放送では補えませんでした。
happened-absent = 番組表サービスから予約がなくなったため、取り消されたものとして扱います。
happened-not-understood = 番組表サービスの登録内容を読み取れませんでした。
happened-placed = チューナー「{ $tuner }」で録画することにしました。
happened-tuner-changed = 録画に使うチューナーを「{ $tuner }」に変更しました。
happened-displaced = 録画計画から外れました。
happened-trimmed = マージンを短くするか、一部だけを録画する計画にしました。
happened-conflict = 録画計画に入れられませんでした。
happened-held-back = 開始時刻になりましたが、すぐには開始できませんでした。
happened-flowing = チューナー「{ $tuner }」で録画を開始しました。
happened-doubted = 録画に失敗しているようだったため、チューナー「{ $tuner }」で2つ目の録画を開始しました。
happened-drained = 録画中のマシンがメンテナンスに入るため、チューナー「{ $tuner }」で2つ目の録画を開始しました。
happened-relieved = チューナー「{ $tuner }」で録画を引き継ぎました。
happened-followed = 放送時間の変更に合わせ、{ $stop }まで録画します。
happened-lease-taken = ほかの用途に使っていたチューナー「{ $tuner }」を録画に回しました。
happened-tuner-quarantined = チューナー「{ $tuner }」が動作しなくなりました。
happened-tuner-back = チューナー「{ $tuner }」が再び動作しています。
happened-adopted = レコーダーが再起動しましたが、録画は途切れずに続きました。
happened-attempt-failed = 録画の試行に失敗しました。
happened-withdrawn = 予約が取り消されました。
happened-missed = 録画されないまま放送時間が過ぎました。
happened-over = 録画時間が終わり、ファイルの終了処理をしています。
happened-closing-failed = ファイルの終了処理に失敗しました。レコーダーは再試行を続けます。
happened-evidence = ディスクに保存：{ $length }のうち{ $covered }
happened-plain-name = ディスクが完全なファイル名を受け付けなかったため、簡単な名前で保存しました。
happened-gap = 録画されなかった時間：{ $span }
happened-gap-picture = 映像の欠落：{ $span }
happened-gap-sound = 音声の欠落：{ $span }
happened-whole = 録画が完了しました。
happened-shortened = 一部だけを録画しました。
happened-empty = 何も録画できませんでした。
happened-discarded = 予約が取り消されました。すでに録画した部分は残します。
happened-deleted-person = ユーザーの操作で削除されました。
happened-deleted-retention = 空き容量を確保するために削除されました。
happened-deleted-repeat = 再放送の完全な録画に置き換えられたため、削除されました。
happened-file-gone = ほかのプログラムがファイルを削除しました。
happened-file-back = ファイルが元に戻りました。
happened-file-damaged = 録画後にファイルが破損しました。
happened-file-sound = ファイルは再び正常になりました。
happened-report-refused = 番組表サービスが報告を受け付けませんでした。
happened-ordered-rule = 自動予約しました：{ $name }（{ $channel }、{ $when }）
happened-rule-changed = この予約のもとになった自動予約が変更されました。


## Recordings

recordings-search = 録画を検索
# A filter: recordings that somebody has begun to watch.
recordings-unfinished = 途中まで視聴
recordings-count = { $count ->
   *[other] { $count }件
}、{ $size }
recordings-empty = 録画がありません
recordings-empty-next = <link>番組表</link>で番組を探して録画予約してください。録画が終わるとここに表示されます。
recordings-none-match = 該当する録画がありません。
recordings-none-match-next = 別の言葉で検索するか、すべての録画を表示してください。
recordings-show-all = すべて表示
# $share is a percentage.
recordings-seen = { $share }視聴済み
recordings-protected = 保護中
recordings-watched = 視聴済み

# The picture of a recording's bit rate, with what is missing in it.
integrity-picture = ビットレートの推移
integrity-rate = 平均{ $average }、最大{ $most }。
integrity-whole = 欠落はありません。
# $gaps is a list: 2 s at 20:15:03 and 1 min of picture at 20:40:00.
integrity-missing = 欠落：{ $gaps }。
integrity-gap = { $lacks ->
    [picture] 映像{ $length }（{ $at }）
    [sound] 音声{ $length }（{ $at }）
   *[all] { $length }（{ $at }）
}
# The time stamps of the broadcast do not go on.
integrity-clock = { $count ->
   *[other] 放送の時刻情報が{ $count }回飛んでいます。
}
integrity-damaged = { $count ->
   *[other] 破損パケットが{ $count }個あります。
}
integrity-junk = { $size }のデータを読み取れません。


## Timers

timers-search = 予約を検索
timers-which = 表示する予約
timers-filter-upcoming = 予定
timers-filter-running = 録画中
timers-filter-trouble = 問題あり
timers-filter-ended = 終了
timers-filter-all = すべて
timers-count = { $count ->
   *[other] { $count }件の予約
}
timers-empty = 予約がありません
timers-empty-next = <link>番組表</link>で番組を探して録画予約するか、<rules>シリーズ録画</rules>を設定してください。
timers-none-match = 該当する予約がありません。
timers-none-match-next = 表示する予約や検索の言葉を変えてみてください。
timers-show-all = すべて表示


## Timeline

timeline-view = タイムラインの表示
timeline-now = 現在
timeline-zoom-out = 縮小
timeline-zoom-in = 拡大
timeline-range = 1日前から2週間先までのチューナーの使用状況
timeline-recordings = チューナー別の録画
timeline-tuner = チューナー「{ $id }」
timeline-no-tuner = チューナーなし
# Several recordings share a tuner: it receives all of their channels at once.
timeline-shared = { $count ->
   *[other] このチューナーで{ $count }件を録画
}
# What a screen reader says of a recording, and what the mouse shows.
timeline-bar = { $name }、{ $channel }、{ $when }、{ $state }
timeline-legend = 色の意味
timeline-legend-planned = 予定
timeline-legend-busy = 録画中
timeline-legend-good = 完了
timeline-legend-warn = 競合・欠損あり
timeline-legend-bad = 失敗・録り逃し
timeline-legend-padding = マージン
timeline-legend-shared = 1台で複数を録画
timeline-empty = 録画予定はありません。
timeline-empty-next = <link>番組表</link>で番組を探して録画予約してください。録画に使うチューナーの横に表示されます。


## Tuners

tuners-title = チューナーとディスク
tuners-empty = チューナーが設定されていません。
tuners-empty-next = チューナーがないと録画できません。コマンド「recorderd tuners discover」でネットワーク内のチューナーを探せます。
tuners-state-free = 空き
tuners-state-tuning = 選局中
tuners-state-receiving = 受信中
# Somebody watches television with it, or it looks for guide data.
tuners-state-lent = 使用中
tuners-quarantined = 動作不良
tuners-drained = メンテナンス中
nodes-title = マシン
nodes-state-leader = リーダー
nodes-state-standby = 待機中
nodes-state-away = 応答なし
tuners-kind = 種類
tuners-multiplex = マルチプレックス
tuners-held = 使用終了予定
tuners-signal = 信号
tuners-signal-locked = ロック済み
tuners-signal-none = なし
tuners-strength = 信号強度
tuners-dbm = { NUMBER($value, maximumFractionDigits: 1) } dBm
# Signal-to-noise ratio.
tuners-snr = SN比
tuners-db = { NUMBER($value, maximumFractionDigits: 1) } dB
tuners-quality = 信号品質
tuners-blocks = 欠落ブロック
tuners-trouble = 直近の問題
tuners-trouble-at = { $at }：{ $what }
tuners-out-since = 動作不良の発生
tuners-next-try = 次の再試行
tuners-received = これまでの受信状況
tuners-failed = 失敗
tuners-lock = ロックまでの時間
tuners-errors = エラー
tuners-failed-of = { $failures } / { $tries }
# Damaged packets in a million.
tuners-per-million = { $count } / 100万
tuners-disk = 録画用ディスク
tuners-space-room = { $hours ->
    [0] 残り1時間未満
   *[other] あと約{ $hours }時間
}
tuners-space-short = 予約分の容量が不足
tuners-space-low = 空きわずか
tuners-space-full = 満杯：録画できません
tuners-space-offline = 未接続
tuners-space-left = 録画可能時間
tuners-space-hours = { $hours ->
    [0] 1時間未満
   *[other] 約{ $hours }時間
}
tuners-free = 空き容量
tuners-free-of = { $free } / { $total }
tuners-planned = 予約分
tuners-full = 満杯の見込み
# Unless recordings are deleted.
tuners-full-never = 当面なし
tuners-full-plan = { $at }（予約をすべて録画する前）
tuners-full-pace = { $day }（このペースで録画した場合）
tuners-recorder = レコーダー
tuners-version = バージョン
tuners-since = 起動日時
tuners-timers = 予約の最終取得
tuners-timers-never = 未取得
tuners-reports = 未送信の報告
tuners-clock = 時計
tuners-clock-right = 正確
tuners-clock-unsure = ずれの可能性あり
# The machine must not sleep then.
tuners-awake = スリープ解除予定
tuners-data = データフォルダー


## Log

# What the recorder did, for those who look after it. Its lines are English.
log-about = レコーダーの動作を管理者向けに英語で記録したものです。
log-level = 表示する行
log-level-info = すべて
log-level-warn = 警告
log-level-error = エラー
log-line-info = 情報
log-line-warn = 警告
log-line-error = エラー
log-count = { $count ->
   *[other] { $count }行
}
log-lines = ログの行（新しい順）
log-empty = ログがありません
log-empty-level = レコーダーの起動後、該当する行はありません。問題なく動作しています。
log-empty-all = レコーダーの起動後、まだ何も記録されていません。
log-show-all = すべての行を表示


## Player

player-title = プレーヤー
player-video = 動画
player-recording = 録画
player-live-television = ライブ放送
player-play = 再生
player-pause = 一時停止
player-stop = 再生を終了
# $position is a time such as 42:10.
player-resume = { $position }から再開
player-from-beginning = 最初から再生
player-next-episode = 次のエピソード：{ $name }
player-other = VLCまたはmpvで開く
player-download = ダウンロード
player-back = { $seconds ->
   *[other] { $seconds }秒戻る
}
player-forward = { $seconds ->
   *[other] { $seconds }秒進む
}
# A button: to the newest picture of live television.
player-to-live = ライブ
player-position = 再生位置
# Both values are spoken times: 1 minute 5 seconds of 30 minutes.
player-position-of = { $length }中{ $position }
# $length is a spoken time.
player-missing = 欠落：{ $length }
player-sound-on = ミュートを解除
player-sound-off = ミュート
player-volume = 音量
player-floating = ピクチャーインピクチャー
player-full = 全画面表示
player-full-leave = 全画面表示を終了
player-speed = 再生速度
player-rate = { NUMBER($rate, maximumFractionDigits: 2) }倍
player-tuning = 選局中…
player-cannot = このブラウザーでは再生できません。MPEG-2映像など、対応していない形式の可能性があります。VLCなどのプレーヤーをお使いください。
player-no-index = この録画はまだ再生の準備ができていません。レコーダーに余裕ができしだい準備します。あとでもう一度試すか、ファイルをダウンロードしてください。

# The choice between sound tracks.
player-sound = 音声
player-sound-number = 音声{ $number }
player-sound-description = { $name }（解説音声）
player-sound-codec = { $name }（{ $codec }）
player-subtitles = 字幕
player-subtitles-off = 字幕オフ
player-subtitles-hard-of-hearing = { $name }（聴覚障害者向け）
# Another track with the same name.
player-track-again = { $name }（{ $number }）

player-keys = キー操作
player-key-space = スペース、k
player-key-toggle = 再生・一時停止
player-key-skip = { $seconds ->
   *[other] { $seconds }秒戻る・進む
}
player-key-jump = { $back }秒戻る・{ $forward }秒進む
player-key-volume = 音量
player-key-mute = ミュートのオン・オフ
player-key-full = 全画面表示
player-key-sound = 次の音声
player-key-subtitles = 字幕のオン・オフ
player-key-speed = 遅く・速く
player-key-digits = 0～9
player-key-part = 最初、10%、…、90%の位置へ移動
player-key-help = キー操作の表示・非表示
player-key-escape = Esc
player-key-close = 閉じる


## Programme

programme-search = 番組名と内容を検索
programme-search-titles = 番組名を検索
programme-day = 日付
programme-day-before = 前の日
programme-day-after = 次の日
programme-shows = { $count ->
   *[other] { $count }番組
}
programme-results = 検索結果
programme-grid = チャンネル・時刻別の番組表
# The tooltip of a show in the grid: News, Today 20:00–20:15
programme-show-at = { $title }、{ $when }
# Several shows of a few minutes share one place in the grid: News, Weather
programme-short-shows = { $count ->
   *[other] 短い番組{ $count }本：{ $titles }
}
programme-short-title = 短い番組
# A channel that the guide no longer lists, by its number.
programme-channel-unknown = チャンネル{ $id }
# Two looks: a list of what is on now and next, and a grid of channels and times
programme-look = 番組表の表示
programme-look-now = 放送中と次の番組
programme-look-grid = グリッド
programme-nothing-now = 情報なし
programme-empty = 番組表にチャンネルがありません。
programme-empty-next = 番組表サービスに地域のデータがそろうと、チャンネルがここに表示されます。
# A button: it shows this time in the grid
programme-prime-time = ゴールデンタイム
programme-genre = ジャンル
genre-movie = 映画・ドラマ
genre-news = ニュース
genre-show = バラエティー
genre-sports = スポーツ
genre-children = 子ども
genre-music = 音楽
genre-arts = 芸術・文化
genre-society = 社会・政治
genre-education = 教育・科学
genre-leisure = 趣味・レジャー


## Show

show-channel = チャンネル
show-time = 放送時間
show-episode = 話数
show-categories = カテゴリー
show-record = 録画予約
show-record-it = { $title }を録画予約
# Notice after a click on Record.
show-booked = 予約しました。
# $names: one or more channels.
show-unreceived = 予約しましたが、{ $names }を受信できるチューナーがないため、録画できません。「チューナー」のページでサービスを割り当ててください。
show-cancel = 予約を取り消す
show-cancelled = 予約を取り消しました。
show-series = シリーズ録画
show-series-of = { $title }をシリーズ録画
show-series-booked = すべてのエピソードを1回ずつ録画します。「自動予約」で確認できます。
show-favourite = お気に入りに追加
show-favourite-added = お気に入りに追加しました。「自動予約」で確認できます。
# Searches for all broadcasts with this title.
show-alike = すべての放送日時
# $state: what the guide server knows of the timer, from its recorder or box.
show-booked-on = { $state ->
    [running] { $device }で予約済みです。現在録画中です。
    [completed] { $device }で録画しました。
    [failed] { $device }で予約していましたが、録画に失敗しました。
    [missing] { $device }で予約しましたが、この機器にはもう予約がありません。
   *[other] { $device }で予約済みです。
}
show-cancel-on = { $device }の予約を取り消す


## Series and keywords

series-recorded-hint = すべてのエピソードを1回ずつ録画します。
series-keywords-hint = 番組名にキーワードの言葉をすべて含む番組を録画します。各エピソードの録画は1回だけです。
series-remove-favourite = 「{ $title }」を削除
series-favourite-removed = お気に入りから削除しました。
series-any-channel = すべてのチャンネル
# Channel and time of day: BBC One, about 20:15
series-channel-about = { $channel }、{ $time }ごろ
series-quality = 画質
series-prefer-hd = HDを優先
series-hd-only = HDのみ
series-prefer-sd = SDを優先
series-sd-only = SDのみ
series-save = 保存
series-saved = 保存しました。
series-stop = 自動予約をやめる
series-stop-question = 「{ $name }」の自動予約をやめますか？これからの予約は取り消されますが、これまでの録画は残ります。
series-stopped = 「{ $name }」の自動予約をやめました。


## Rules

rules-new = 新しい自動予約
rules-empty = 自動予約がありません
rules-empty-next = 新しい自動予約を作るか、<link>番組表</link>で番組を選んでシリーズ録画を設定してください。
# What kind of entry a row of the list is.
rules-kind-series = シリーズ
rules-kind-keyword = キーワード
rules-kind-favourite = お気に入り
rules-paused = 停止中
# The next recording: Next: Today 20:15 on BBC One
rules-next = 次回：{ $at } { $channel }
rules-next-none = 今後の録画予定はありません
rules-change = 変更
rules-favourite-line = お気に入りの登録だけで、録画はしません。
# A rule in one line: New episodes on BBC One, weekdays after 18:00, keep the newest 5
rules-line-and = { $first }、{ $more }
rules-line-what = { $what ->
    [new] 新しいエピソード
    [first] 各エピソードの最初の放送
    [new-first] 新しいエピソードの最初の放送
   *[all] すべての番組
}
rules-line-what-on = { $what ->
    [new] { $channels }の新しいエピソード
    [first] { $channels }での各エピソードの最初の放送
    [new-first] { $channels }での新しいエピソードの最初の放送
   *[all] { $channels }のすべての番組
}
# The end of a list of channels: BBC One, BBC Two and 3 others
rules-line-others = ほか{ $count }チャンネル
rules-line-words = { $place ->
    [all] 番組名か内容に「{ $words }」
   *[title] 番組名に「{ $words }」
}
rules-line-expression = { $place ->
    [all] 番組名か内容が { $expression } に一致
   *[title] 番組名が { $expression } に一致
}
rules-line-series = 番組表の1つのシリーズ
rules-line-genres = ジャンル：{ $genres }
rules-line-without = 「{ $words }」を除く
rules-line-weekdays = 平日
rules-line-weekend = 土日
rules-line-after = { $from }以降
rules-line-before = { $until }より前
rules-line-between = { $from }～{ $until }
# weekdays after 18:00
rules-line-days-and-time = { $days }の{ $time }
# The length of a show
rules-line-least = { $least }以上
rules-line-most = { $most }以内
rules-line-length = { $least }～{ $most }
rules-line-keep = 最新の{ $count }件を残す
rules-field-words = 番組名の言葉
rules-field-words-all = 番組名か内容の言葉
rules-field-words-hint = すべて含む（順不同）。引用符で囲むと一続きの語句
rules-field-expression = 正規表現
rules-field-expression-hint = 複数の番組名に合うパターン：^(ニュース|天気)
rules-field-channels = チャンネル
rules-channels-find = チャンネルを検索
rules-field-new = 新しいエピソードのみ
rules-more = 詳しい条件
rules-group-show = 番組
rules-group-time = 放送時間
rules-group-recording = 録画
rules-field-name = 自動予約の名前
rules-field-all-text = サブタイトルと番組内容も検索
rules-field-without = 除外する言葉
rules-field-without-hint = 番組名にも内容にも含まない。引用符で囲むと一続きの語句
rules-field-genres = ジャンル
rules-field-categories = 番組表のその他のカテゴリー
rules-field-categories-hint = コンマ（,）で区切る
rules-field-days = 曜日
rules-field-from = 開始時刻（以降）
rules-field-until = 開始時刻（より前）
rules-field-min = 最短の長さ（分）
rules-field-max = 最長の長さ（分）
rules-field-first = 各エピソードの最初の放送のみ
rules-field-keep = 残す録画の数
rules-field-keep-hint = 新しい録画が最も古い録画と入れ替わります
rules-field-priority = 優先度（0～100）
rules-field-folder = フォルダー
rules-field-folder-hint = 録画フォルダーの中：ドラマ/日曜
rules-field-paused = 停止中（当面は録画しない）
rules-preview = プレビュー
rules-preview-start = 言葉、正規表現、ジャンルのどれかを入力すると、録画される番組を確認できます。
rules-preview-looking = 番組を検索しています…
rules-preview-none = 今後2週間に該当する番組はありません。
rules-preview-records = 今後2週間の{ $total }番組のうち{ $records }番組を録画します。
rules-preview-paused = 停止中：再開すると、今後2週間の{ $total }番組のうち{ $records }番組を録画します。
rules-preview-many = 該当する番組が多いため、{ $at }より前の番組だけを数えました：{ $total }番組のうち{ $records }番組を録画します。
rules-preview-unidentified = そのうち{ $count }番組は番組表でエピソードを特定できず、再放送も録画されます。
rules-preview-displaced = ほかの録画に影響があります：
# News, Today 20:00–20:15: 5 min missing
rules-preview-loses = 「{ $title }」{ $when }：{ $lost }欠ける
rules-preview-loses-all = 「{ $title }」{ $when }：録画されない
rules-preview-unplaced = 空いているチューナーがない番組：
# A show with its time: News, Today 20:00
rules-preview-at = 「{ $title }」{ $at }
rules-preview-space = ディスクに約{ $needs }必要です。空きは{ $free }です。
rules-preview-no-space = ディスクに約{ $needs }必要ですが、空きは{ $free }しかありません。
rules-preview-first = 最初の{ $count }番組だけを表示しています。
rules-preview-list = 該当する番組
rules-saved-exceeds = 保存しましたが、すべては録画できません。
# Chips: what becomes of a show that fits a rule.
rules-fate-records = 録画する
rules-fate-noTuner = チューナー不足
rules-fate-ordered = 予約済み
rules-fate-otherAiring = 別の放送
rules-fate-recorded = 録画済み
rules-fate-declined = 取り消し済み
rules-fate-repeat = 再放送
rules-fate-later = 後の放送
rules-fate-noRoom = 上限超過
rules-reason-noTuner = この時間はすべてのチューナーが使用中です。
rules-reason-unidentified = 番組表ではどのエピソードかわかりません。
rules-reason-ordered = 手動またはほかの自動予約で予約されています。
rules-reason-otherAiring = このエピソードは別の放送で録画します。
rules-reason-recorded = このエピソードは録画したことがあります。
rules-reason-declined = このエピソードの予約は取り消されました。
rules-reason-repeat = 再放送です。この自動予約は新しいエピソードだけが対象です。
rules-reason-later = この自動予約は最初の放送だけが対象です。
rules-reason-noRoom = アカウントの上限に達しています。
# A button at a show: opens the dialog of a rule with the show’s title and channel.
rules-from-show = 条件を決めて録画…
# A button beside the results of a search.
rules-from-search = 自動予約を作る…
# What is wrong with a field of the dialog.
rules-mistake-name = 名前がないか、長すぎます。
rules-mistake-words = 言葉が長すぎるか、文字や数字が含まれていません。
rules-mistake-expression = この正規表現は使えません。かっこを確認してください。長すぎるか、(?=…) など使えない書き方を含んでいる可能性があります。
rules-mistake-number = 数字が小さすぎるか大きすぎるか、整数ではありません。
rules-mistake-folder = 特殊文字を使わず、名前を / で区切ってください：ドラマ/日曜


## Channels and listings

channels-search = チャンネルを検索
channels-count = { $count ->
   *[other] { $count }チャンネル。
}番組データにあり番組表にないもの：{ $unmatched }。番組データがないもの：{ $bare }。
channels-unmatched = 番組データにあり、番組表にないチャンネル
channels-unmatched-list = 番組表に対応付けのない番組データのチャンネル
channels-in-guide = 番組表のチャンネル
channels-in-guide-list = 番組表のチャンネル一覧
channels-no-programmes = 番組情報なし
channels-until = 番組情報：{ $at }まで
# The channel number on the remote control; several are separated by commas.
channels-number = 番号{ $number }
# The triplet names a service of a DVB network: three numbers.
channels-no-triplet = トリプレットなし
channels-no-listing = 番組データなし
channels-listed-as = 番組データ内のID
channels-is = チャンネル
channels-matched = 対応付け
channels-note = 備考
channels-set = 手動設定
channels-pending = この設定で番組データを読み込んでいます。しばらくしてからもう一度確認してください。
channels-target = 番組表のチャンネル
# ONID/TSID/SID is a triplet; lcn, name and ignore are typed as they stand here.
channels-target-text = または ONID/TSID/SID、lcn N、name 名前、ignore
channels-use = このチャンネルを使う
channels-used = 設定を保存しました。番組データを読み込み直しています。
channels-automatic = 自動で対応付け
channels-automatic-done = このチャンネルは再び自動で対応付けられます。
channels-owners-only = 番組データのチャンネルを対応付けられるのは、このサーバーの最初のアカウントの管理者だけです。
# How a channel of a listing was matched with one of the guide.
channels-by-table = 手動
channels-by-before = 以前と同じ
channels-by-triplet = トリプレットで一致
channels-by-name = 名前で一致
channels-by-short-name = 短縮名で一致
channels-by-known-name = 既知の別名で一致
channels-by-lcn = チャンネル番号で一致
channels-by-new = チャンネルとして追加
channels-by-ignored = 対象外
channels-by-taken = 番組データの別のチャンネルを対応付け済み
listings-title = 番組データ
listings-one = 番組データ「{ $name }」
listings-unread = まだ読み込まれていません。
listings-read = { $programmes ->
   *[other] 番組{ $programmes }件
}（{ $at }に読み込み）、{ $flaws ->
    [0] 不備なし
   *[other] 不備{ $flaws }件
}。
# $reason is technical and in English.
listings-unreadable = { $at }から読み込めないため、以前の内容を引き続き使っています：{ $reason }
listings-pending = 読み込み直しています。しばらくしてからもう一度確認してください。
listings-flaw = { $kind ->
    [ampersand] エスケープされていない「&」
    [less-than] エスケープされていない「<」
    [entity] 未知の実体参照
    [character] 使用できない文字
    [encoding] 文字コードの誤り
    [tag] タグの誤り
    [element] 要素の位置の誤り
    [channel] チャンネルの誤り
    [time] 時刻の誤り
    [zone] タイムゾーンのない時刻
    [stop] 終了時刻の欠落または誤り
    [overlap] 番組の時間の重なり
    [duplicate] 番組の重複
    [title] 番組名の欠落
    [number] 話数の誤り
   *[other] その他の不備
}：{ $count ->
   *[other] { $count }件
}{ $leftOut ->
    [0] 。
   *[other] 、{ $leftOut }件を除外。
}
# $reason is technical and in English.
listings-line = { $line }行目：{ $reason }
listings-zone = 「{ $name }」のタイムゾーン
listings-zone-stated = 記載どおり
listings-zone-set = 適用
listings-zone-done = このタイムゾーンで「{ $name }」を読み込み直しています。
reception-none-yet = レコーダーはまだ番組表のチャンネルを取得していません。
reception-all = { $count ->
   *[other] 番組表の{ $count }チャンネルをすべて受信できます。
}
reception-some = 番組表の{ $count }チャンネルのうち、{ $missing }チャンネルを受信できるチューナーがありません。
reception-missing = 受信できないチャンネル
reception-missing-list = 受信できないチャンネルの一覧
# $services: triplets, each three numbers.
reception-why = { $name }：{ $services }を受信できるチューナーがありません。
reception-why-unknown = { $name }：この番号または名前のサービスを受信できるチューナーがありません。
reception-service = { $name }のサービス
reception-assign = { $name }に割り当て
reception-assigned = { $name }に{ $service }を割り当てました。
reception-watch-live = ライブ視聴
reception-list = 受信できるチャンネル
# $channel: number and name.
reception-watch = { $channel }を見る
reception-by-hand = 手動で割り当てたチャンネル
reception-is = { $name }：{ $service }
reception-automatic = { $name }を自動で対応付け
reception-automatic-done = { $name }は再び自動で対応付けられます。


## Devices

devices-none = まだありません。STB（セットトップボックス）やレコーダーがお使いのアカウントでログインすると、ここに表示されます。
devices-silent-after = { $days ->
   *[other] { $days }日間通信のない機器は「通信なし」と表示されます。
}
devices-silent = 通信なし
devices-model = 機種
devices-number = 番号
devices-identity = 識別情報
devices-last-contact = 最後の通信
devices-never = ログイン履歴なし
devices-name = 名前
devices-rename = 名前を変更
devices-renamed = 名前を変更しました。
devices-remove = 削除
devices-remove-question = 「{ $name }」を削除しますか？STBは再びログインするとここに表示されます。
devices-removed = 削除しました。
devices-details = 受信状況とログ
devices-not-scanned = スキャン結果はまだ報告されていません。
devices-scanned = { $count ->
   *[other] { $count }サービスを受信しました（スキャン：{ $at }）。
}
devices-receives-all = 地域のすべてのチャンネルが含まれています。
devices-not-received = { $count ->
   *[other] 地域の{ $count }チャンネルが見つかりませんでした：{ $names }。
}
devices-no-log = ログはまだ届いていません。
devices-log = 最近のログ（新しい順）
# Chooses the device that records.
devices-recorded-by = 録画する機器


## Users

users-hint = 名前とパスワードは1人ずつ設定します。STB（セットトップボックス）やレコーダーもユーザーとしてログインするため、それぞれをメンバーとして追加してください。
users-add-title = ユーザーを追加
users-add = 追加
users-name = 名前
users-rights = 権限
users-may-owner = 管理者：すべての操作とユーザー管理
users-may-member = メンバー：閲覧、予約、STBの管理
users-may-viewer = 閲覧者：閲覧のみ
# Marks of a user.
users-role-owner = 管理者
users-role-member = メンバー
users-role-viewer = 閲覧者
users-you = 自分
users-since = 登録日
users-sessions = ログイン中の端末
users-timers = 予約
users-rules = 自動予約
users-give = 権限を変更
users-given = 権限を変更しました。「{ $name }」は再ログインが必要です。
users-remove = 削除
users-remove-question = 「{ $name }」を削除しますか？このユーザーとそのSTBはすべて、ただちにログアウトされます。予約と自動予約の設定は残ります。
users-removed = 削除しました。
users-change-password = パスワードを変更…
users-new-password = 「{ $name }」の新しいパスワード
users-set-password = パスワードを設定
users-password-set = 新しいパスワードを設定しました。「{ $name }」は再ログインが必要です。


## Signing in

sign-in-verb = ログイン
sign-in-guide-server = 番組表サーバー
sign-in-name = 名前
sign-in-email = メールアドレス
sign-in-name-or-email = 名前またはメールアドレス
sign-in-password = パスワード
sign-in-new-password = パスワード（8文字以上）
sign-in-region = 地域
sign-in-create = アカウントを作成
sign-in-create-instead = アカウントを作成…
sign-in-have-account = 既存のアカウントでログイン
# The words in angle brackets are a file name.
sign-in-no-account = アカウントがまだありません。作成するには、サーバーのデータフォルダーにあるファイル<code>first-account</code>のリンクを開いてください。このファイルを読めるのは所有者だけです。
sign-in-first-account = アカウントがまだありません。ご家庭で使うアカウントを作成してください。レコーダーとSTBもこのアカウントでログインします。
sign-in-another-account = ご家庭で使うアカウントを作成してください。レコーダーとSTBもこのアカウントでログインします。
sign-in-wrong = 名前またはパスワードが正しくありません。
sign-in-link-used = このリンクは使用済みか、有効期限が切れています。新しいリンクを取得してください。
sign-in-no-user = パスワードを設定したユーザーがまだいません。
sign-in-no-password = パスワードがない場合
# Commands stand in angle brackets; translate NAME.
sign-in-by-command = レコーダー本体で<code>recorderd web open</code>を実行すると、ブラウザーでログインするためのリンクが表示されます。<code>recorderd web password 名前</code>でユーザーのパスワードを設定できます。
sign-in-not-set-up = このレコーダーはまだ設定されていません。<code>recorderd setup --web</code>がターミナルまたはログにリンクを出力しています。<code>#link=</code>より後ろの部分がコードです。コードは1回だけ使えます。
sign-in-code = コード


## Setting up

# Title of the window.
setup-page = 初期設定
setup-title = レコーダーの初期設定
setup-steps = 手順
setup-step-guide = 番組表サービス
setup-step-recorder = 地域と機器
setup-step-tuners = チューナー
setup-step-recordings = 録画
setup-step-user = ユーザー
setup-step-check = 確認と開始
setup-continue = 次へ
setup-more = 詳細設定
setup-timers-from = 予約の取得元
setup-guide-own = このマシンで動かす自分の番組表サービス
setup-guide-other = 別の番組表サービス
setup-guide-address = アドレス
setup-account = アカウント
setup-account-hint = アカウントがないと録画は行われません。ログインはあとからでもできます。
setup-account-own = アカウントを作成するには、このマシンのポート{ $port }で番組表サービスのページを開いてください。
setup-api-key = サービスのAPIキー
setup-api-key-hint = 一部のサービスでのみ必要です。サービスの運営者から入手できます。
setup-join = レコーダーのグループに参加する
setup-join-hint = グループ内の別のレコーダーで recorderd fleet invite を実行し、表示された文字列を貼り付けてください。
setup-join-invitation = 招待
setup-join-node = グループ内でのこのレコーダーの名前（空欄：マシンの名前）
setup-join-verb = 参加する
setup-join-database-hint = または、グループのデータベースを入力し、残りの質問にここで答えてください。
setup-join-database = データベースのアドレス
setup-join-password = データベースのパスワード
setup-join-secret = グループの共有キー（空欄：このレコーダーは待機のみ）
setup-join-stored = データベースを記録しました。残りの質問に答えてください。
setup-time-zone = タイムゾーン
setup-device = このレコーダーで録画する予約
setup-device-new = 新しい機器の予約（このレコーダーをサービスに登録）
setup-device-all = アカウントの全機器の予約
setup-device-one = 「{ $device }」の予約
setup-tuners-used = 使用するチューナー
setup-tuner = { $kind }、{ $place }
setup-tuner-trying = 受信をテストしています…
setup-tuner-untried = まだテストしていません。
setup-tuner-works = 正常です。{ $time }で{ $channel }の映像または音声を受信しました。番組表の{ $count }チャンネルのうち{ $received }チャンネルを受信できます。
setup-tuner-sign-in = サーバーのユーザー名とパスワードが未入力か、正しくありません。
setup-tuner-scan = { $frequencies ->
   *[other] チャンネルリストに、トリプレットのない周波数が{ $frequencies }個あります。録画に使わない間にチューナーがスキャンします。
}
setup-tuner-none = 番組表の{ $count }チャンネルをどれも受信できません。
# $examples: names of some of the services.
setup-tuner-others = 番組表の{ $count }チャンネルはどれも受信できませんが、{ $examples }など{ $services ->
   *[other] { $services }サービス
}を受信できます。「チューナー」のページでチャンネルに割り当ててください。
setup-tuner-silent = { $channel }：映像も音声も届きませんでした。
# $reason is a whole sentence.
setup-tuner-not-received = { $channel }を受信できません：{ $reason }
setup-tuner-user = { $place }のユーザー名
setup-tuner-password = { $place }のパスワード
setup-tuner-sign-in-verb = 「{ $id }」にログイン
setup-tuner-try = 「{ $id }」を再テスト
setup-tuner-remove = 「{ $id }」を削除
setup-tuner-removed = 削除しました。
setup-look = チューナーを検索
setup-looked = 検索が終わりました。
setup-found-none = 本体にチューナーカードがなく、ネットワーク上で応答するサーバーもありません。
setup-found = 見つかったチューナー
# $tuner: kind, address and name of a tuner that was found.
setup-use = { $tuner }を使う
setup-add-by-hand = アドレスでチューナーを追加
setup-add = 追加してテスト
setup-kind = チューナーの種類
setup-channel-list = チャンネルリスト（レコーダー本体のファイル）
setup-channel-list-optional = チャンネルリスト（レコーダー本体のファイル、省略可）
setup-simulator = チューナーなしでrecorderdを試す
setup-simulator-hint = アンテナの代わりに模擬放送局を使います。<code>recorderd broadcaster</code>で起動してください。
setup-simulator-add = 模擬放送局を追加
setup-kind-hdhomerun = HDHomeRun
setup-kind-satip = SAT>IPサーバー
setup-kind-tvheadend = Tvheadend
setup-kind-enigma2 = Enigma2受信機
setup-kind-mirakurun = Mirakurun
setup-kind-dvb = レコーダー本体のDVBカード
setup-kind-url = IPTVリスト（M3U）
setup-kind-file = トランスポートストリームのファイル
setup-kind-mock = 模擬放送局
setup-place-hdhomerun = 機器のアドレス
setup-place-satip = サーバーの名前またはアドレス
setup-place-tvheadend = サーバーのアドレス
setup-place-enigma2 = 受信機のアドレス
setup-place-mirakurun = サーバーのアドレス
setup-place-dvb = カードの番号
setup-place-url = M3Uリストのパス
setup-place-file = ファイルのパス
setup-place-mock = 模擬放送局のアドレス
setup-folder = 録画フォルダー（レコーダー本体）
setup-before = 開始前のマージン（秒）
setup-after = 終了後のマージン（秒）
setup-user-hint = ほかの端末からこのレコーダーを開くときは、この名前とパスワードでログインします。
setup-check-account = アカウント
setup-check-no-account = なし（あとからログインできます）
setup-check-device = 録画の対象
setup-check-padding = マージン
setup-padding = 開始前{ $before }、終了後{ $after }
setup-folder-there = { $folder }（空き{ $free }）
setup-folder-new = { $folder }（新規作成、空き{ $free }）
setup-check-user = ユーザー
setup-check-fleet = グループ
setup-check-commands = レコーダーが実行するコマンド
setup-check-file = 設定ファイル
setup-write = 保存して開始
setup-written = 設定を保存しました。
setup-starting = 設定を保存しました。レコーダーを起動しています…
# Refused answers. $reason is technical and in English.
setup-refused-address = https://guide.example/api のようなアドレスを、ユーザー名を含めずに入力してください。
setup-refused-tuner = このチューナーは使えません。アドレスとチャンネルリストを確認してください：{ $reason }
setup-refused-tuner-password = このユーザー名またはパスワードはサーバーに拒否されました。
setup-refused-folder-path = 絶対パスを入力してください（例：/srv/recordings）。
setup-refused-folder-system = これはシステムのフォルダーです。録画専用のフォルダーを選んでください。
setup-refused-folder-file = このパスはフォルダーではなくファイルです。
setup-refused-folder-new = このフォルダーは存在せず、作成もできません。レコーダー本体で作成してください。
setup-refused-folder-forbidden = レコーダーにこのフォルダーへの書き込み権限がありません。権限を与えるか、別のフォルダーを選んでください。
setup-refused-folder-full = 空き容量が足りません。別のディスクを選んでください。
setup-refused-written = すでに設定ファイルがあります。このファイルは変更しません。
setup-refused-invitation = 招待が完全ではありません。すべてコピーしてください。
setup-refused-fleet = このレコーダーはグループに参加できません：{ $reason }


## Guide service

guide-service-timers = 予約
guide-service-timers-at = { $at }現在
guide-service-no-timers = 未取得
guide-service-trouble = 問題
guide-service-since = { $at }から
guide-service-again = レコーダーの再ログイン
guide-service-hint = 番組表サービスのアカウントでログインしてください。レコーダーに保存されるのはトークンだけで、パスワードは保存されません。
guide-service-done = 番組表サービスにログインしました。
guide-service-done-until = 番組表サービスにログインしました（{ $day }まで有効）。
# States of the recorder's sign-in.
guide-service-sign-in-needed = 要ログイン
guide-service-unreachable = 接続不可
guide-service-not-asked = 未確認
guide-service-signed-in = ログイン済み


## Notifications

# Line below the title: Today 20:15–21:45, ABC
notification-show = { $when }、{ $channel }

notification-recorded-title = 録画しました：{ $name }
notification-damaged-title = 録画に欠損があります：{ $name }
# 97.5 % of the programme was recorded (3.6 GB).
notification-share = 番組の{ $share }を録画しました（{ $size }）。
notification-share-unknown = 番組のどれだけを録画できたかは不明です（{ $size }）。
notification-errors = { $count ->
    [0] 映像・音声のエラーはありません。
   *[other] 映像・音声のエラーが{ $count }件あります。
}
# $spans: 20:15:30–20:16:00 and 21:00:02–21:00:05
notification-gaps = 欠落：{ $spans }
notification-gaps-picture = 映像なし：{ $spans }
notification-gaps-sound = 音声なし：{ $spans }

notification-not-recorded-title = 録画できませんでした：{ $name }
notification-nothing-left = 映像または音声は届きましたが、ディスクには何も残っていません。
notification-missed = 時間内に録画を開始できませんでした。レコーダーの電源が切れていた可能性があります。

# Two recordings want the same tuner.
notification-conflict-title = 予約の競合：{ $name }
notification-conflict-busy = この時間に空いているチューナーがありません。
# $recordings: Tatort (20:15–21:45) and News (20:00–20:15)
notification-conflict-holders = チューナーを使う番組：{ $recordings }
notification-holder = { $name }（{ $when }）
notification-conflict-choice = どれを録画するか、ダッシュボードで選んでください。

notification-repeat-booked-title = 再放送を予約しました：{ $name }
notification-repeat-booked = この再放送を録画します：{ $when }、{ $channel }
# The first recording was damaged or missing, and a repeat replaced it.
notification-healed-title = 再放送で録画できました：{ $name }
notification-healed = この再放送を欠損なく録画しました：{ $when }、{ $channel }

notification-file-title = 録画ファイルに問題があります：{ $name }
notification-file-changed = 録画後にファイルが変更されました。
notification-file-truncated = ファイルの一部がありません。
notification-file-unreadable = ディスクからファイルを読み取れません。
notification-file-sizes = サイズは、本来の{ $whole }に対して{ $size }です。
notification-file-kept = recorderdはこのファイルに手を加えません：{ $file }

notification-disk-low-title = ディスクの空きが残りわずかです
notification-disk-low = 容量が足りない場合は、重要な録画を優先します。不要な録画を削除してください。
notification-disk-full-title = ディスクがいっぱいです
notification-disk-full = 空き容量ができるまで録画できません。不要な録画を削除してください。
notification-disk-offline-title = 録画用ディスクが見つかりません
notification-disk-offline = ディスクが戻るまで録画できません。
# The disk with the recorder's own files, not the one with recordings.
notification-reserve-title = データフォルダーのディスクがいっぱいです
notification-reserve = レコーダーはわずかな予備領域を使って動作しています。このディスクの空き容量を増やしてください。
notification-data-title = データフォルダーに書き込めません
notification-data = 進行中の録画は続きますが、新しい録画は開始できません。データフォルダーのディスクを確認してください。

notification-sign-in-title = ログインが必要です
notification-sign-in = ダッシュボードで番組表サービスにログインしてください。ログインするまで新しい予約は届きません。
notification-guide-failed-title = 番組表サービスを利用できません
notification-guide-failed = この状態が{ $duration }続いています。予定された録画は行いますが、新しい予約は届きません。
notification-guide-shrunk-title = 番組表サービスの予約が減りました
notification-guide-shrunk = 今後の予約が{ $held }件中{ $listed }件しかありません。レコーダーは、本当に削除されたと確認できるまで、すべての予約を残します。
notification-secrets-title = 認証情報ファイルを使用できません
notification-secrets-earlier = レコーダーが再起動するまで、以前のパスワードを使います。
notification-secrets-none = 予定された録画は行いますが、新しい予約は届かず、パスワードが必要なチューナーは動作しません。

notification-tuner-title = チューナー「{ $tuner }」が動作しません
notification-tuner = 続けて何度も失敗しました。再び動作するまで、録画計画では使いません。
notification-clock-title = レコーダーの時計がずれている可能性があります
notification-clock = 本体の日付と時刻を確認してください。正しくなるまで、この時計の時刻では録画を終了しません。
notification-woke-late-title = 本体のスリープ解除が遅れました
notification-woke-late-wanted = 予定：{ $time }
notification-woke-late-came = 実際：{ $time }

# A piece of work took all of the computing time.
notification-set-aside-title = レコーダーが応答しなくなり、再起動しました
notification-set-aside-rest = 原因となった処理を{ $duration }のあいだ停止します。
notification-work-guide-document = その間、このような文書は別のスレッドで読み取ります。
notification-work-guide-list = その間、このリストは取得せず、すでに取得した内容を使います。
notification-work-decision = この処理は録画に必要なため、省略しません。
notification-work-hook = その間、この録画のフックは待機します。
notification-work-broadcast-guide = その間、放送波の番組情報は収集しません。
notification-work-stored-document = この処理はレコーダーに必要なため、省略しません。
# $work: a technical name, always in English
notification-set-aside-work = サポート用の情報：{ $work }

# Reasons of a failure, each on a line of its own
notification-why-busy = すべてのチューナーが使用中でした。
notification-why-in-use = ほかのプログラムがチューナーを使用していました。
notification-why-channel = このチャンネルの受信方法がわかりません。「チューナー」のページで割り当ててください。
notification-why-none = このチャンネルを受信できるチューナーがありません。
notification-why-clock = そのときレコーダーの時計が正しくありませんでした。
notification-why-signal = チューナーに信号が届いていません。アンテナとケーブルを確認してください。
notification-why-tuner-gone = チューナーが応答しません。電源とネットワークを確認してください。
notification-why-tuner-password = パスワードがチューナーのサーバーに拒否されました。
notification-why-silent = 映像も音声も届きませんでした。
# A part of the programme was recorded.
notification-why-interrupted = 受信が途切れました。
notification-why-wrong = チューナーから別のチャンネルが届きました。
notification-why-encrypted = このチャンネルにはスクランブルがかかっています。
notification-why-excess = チューナーから、1チャンネルではありえない速さでデータが届きました。
notification-why-capture = レコーダーのエラーにより録画が中断されました。
notification-why-full = ディスクがいっぱいでした。
notification-why-write = 録画をディスクに書き込めませんでした。
notification-why-storage = 録画用ディスクが応答しませんでした。
notification-why-guide-gone = 応答がありません。ネットワークとインターネット接続を確認してください。
notification-why-guide-certificate = 証明書が無効です。
notification-why-guide-errors = エラーが返されています。
notification-why-log = 原因はレコーダーのログをご覧ください。

notification-test-title = recorderdのテスト
notification-test = recorderdのテスト通知です。今後の通知はここに届きます。
notification-mail-subject = recorderd: { $title }
# Name of the entity in Home Assistant
notification-entity = お知らせ
# Last line of an e-mail: Today 20:15 (Europe/Berlin)
notification-mail-time = { $when }（{ $zone }）


## Messages to the guide service

# A guide service shows them beside a timer, in at most 500 letters.
# $tuner: the name of a tuner. $span: 20:05–21:40. $at, $since, $time: a time of day, such as 20:05 or 20:05:30.
report-scheduled = チューナー「{ $tuner }」で録画予定です（{ $span }）。
report-no-tuner = 空いているチューナーがありません。
report-interrupted = 録画が中断されました。
report-trying = 終了時刻まで録画を試み続けます（{ $span }）。
# $late: a length, such as 40 s; “none” if it began in time.
report-recording = チューナー「{ $tuner }」で{ $since }から録画中です{ $late ->
    [none] { "" }
   *[other] 。開始が{ $late }遅れました
}{ $interruptions ->
    [0] { "" }
   *[other] 。{ $interruptions }回中断しました
}。
report-withdrawn = 予約は取り消されました。
report-withdrawn-kept = 予約は取り消されました。すでに録画した部分は残ります。
report-order-kept = 以前の予約が引き続き有効です。
# $reason is technical and in English.
report-not-understood = 予約を読み取れません：{ $reason }

# $figures is a list: 97 % of the event, 3.00 GB, no errors
report-recorded = 録画しました{ $verdict ->
    [perfect] （完全）
    [good] （良好）
    [damaged] （欠損あり）
    [unusable] （視聴不可）
   *[none] { "" }
}：{ $figures }。
report-recorded-part = 一部だけ録画しました{ $verdict ->
    [perfect] （完全）
    [good] （良好）
    [damaged] （欠損あり）
    [unusable] （視聴不可）
   *[none] { "" }
}：{ $figures }。
report-recorded-unverified = 録画しましたが、検証できていません：{ $figures }。
report-share = 番組の{ $share }%
report-gigabytes = { NUMBER($size, minimumFractionDigits: 2, maximumFractionDigits: 2) } GB
report-megabytes = { NUMBER($size, minimumFractionDigits: 1, maximumFractionDigits: 1) } MB
report-no-errors = エラーなし
report-no-clock = { $figures }。放送に時刻情報がないため、番組のどれだけを録画できたかは不明です
report-plain-name = ディスクが本来の名前を受け付けなかったため、簡単な名前で保存
report-flaw-continuity = 連続性エラー{ $count }件
report-flaw-tables = テーブルのエラー{ $count }件
report-flaw-transport = 伝送エラー{ $count }件
report-flaw-scrambled = スクランブルパケット{ $count }個
report-flaw-clock = 時刻情報の不連続{ $count }回
report-flaw-damaged = 破損パケット{ $count }個
report-flaw-junk = 不要なデータ{ $count }バイト
# $spans is a list of times: 20:05:10–20:05:12, 20:14:30–20:45
report-gap = 欠落 { $spans }
report-gap-picture = 映像なし { $spans }（音声あり）
report-gap-sound = 音声なし { $spans }
report-hollow-picture = 映像のパケットは届きましたが、デコードできません
report-hollow-picture-unchecked = 映像のパケットは届きましたが、中身がないように見え、ffmpegで確認できませんでした
report-hollow-sound = 音声のパケットは届きましたが、デコードできません
report-hollow-sound-unchecked = 音声のパケットは届きましたが、中身がないように見え、ffmpegで確認できませんでした
# $name: language and codec of a second picture or sound, such as deu, AC-3
report-track-picture = 別の映像（{ $name }）の欠落 { $spans }
report-track-picture-never = 別の映像（{ $name }）は告知のみで未放送
report-track-sound = 別の音声（{ $name }）の欠落 { $spans }
report-track-sound-never = 別の音声（{ $name }）は告知のみで未放送

# $why, $trouble: whole sentences. English has no use for report-tuner-trouble: its sentences name the tuner.
report-not-recorded = 録画できませんでした。{ $why }
report-tuner-trouble = { $trouble }（チューナー「{ $tuner }」）
report-details = （{ $details }）
# Labels with values of a trouble, at the end of messages and in notifications.
trouble-value-file = ファイル：{ $file }
trouble-value-system = エラーコード：{ $code }
trouble-value-free = ディスクの空き容量：{ $size }未満
trouble-value-silent = 受信できなかった時間：{ $length }
trouble-value-clock-ahead = 時計の進み：{ $by }
trouble-value-clock-behind = 時計の遅れ：{ $by }
trouble-value-message = プログラムのメッセージ：{ $message }
report-nothing-left = 録画できませんでした：映像か音声は届きましたが、ディスクに何も残っていません。
report-nothing-arrived = 録画できませんでした：映像も音声も届きませんでした。
report-too-late = 録画できませんでした：開始する前に放送時間が過ぎました。
report-was-asleep = 録画できませんでした：レコーダーがスリープしていました（{ $span }）。
report-was-off = 録画できませんでした：レコーダーの電源が切れていました（{ $span }）。
report-storage-offline = 録画は終了しました。{ $at }からディスクが見つかりません。ディスクが戻りしだい、ファイルの終了処理を行います。
report-storage-slow = 録画は終了しました。{ $at }からディスクの応答がないため、ファイルの終了処理がまだ完了していません。
report-node-away = 録画は終了しました。録画の一部を保持している別のレコーダーが{ $at }から停止しています。その機器が起動しだい、ファイルの終了処理を行います。
report-unfinished = 録画は終了しました。{ $at }からファイルの終了処理に失敗しています。レコーダーは再試行を続けます。{ $why }

# $held is a list: sat1 records “News” 20:05–21:40; sat2 records “Tatort” 20:15–21:45
report-conflict = 予約が重なり、空いているチューナーがありません。
report-conflict-held = 予約が重なり、空いているチューナーがありません（{ $held }）。
report-holder = { $tuner }：「{ $name }」を録画 { $span }
report-remedy-withdraw = 「{ $name }」を取り消すと録画できます。
report-remedy-priority = 優先度を{ $priority }にすると録画できます。
report-remedy-priority-loses = 優先度を{ $priority }にすると録画できますが、次の録画の一部が失われます：{ $names }。
report-remedy-tuner = 「{ $tuner }」と同じようなチューナーがもう1台あれば録画できます。
report-remedy-none = ほかの録画の取り消し、優先度の引き上げ、チューナーの追加のどれも、一つだけでは解決しません。
# $day: Thu 26 Nov
report-remedy-repeat = 再放送なら録画できます：{ $channel }、{ $day } { $time }。
report-repeat-booked = 再放送を予約しました：{ $channel }、{ $day } { $time }。
report-repeat-healed = 再放送ですべて録画しました：{ $channel }、{ $day } { $time }。
# $code: the technical name of an error, always in English
report-doubt = 録画できないおそれがあります。チューナー「{ $tuner }」の不調が{ $since }から続いています（{ $code }）。それでも録画を試みます。
report-trim-start = { $at }以降の一部だけを録画します。それまで空いているチューナーがありません。
report-trim-start-held = { $at }以降の一部だけを録画します。それまで空いているチューナーがありません（{ $held }）。
# $parts is a list of the next three. $name: a title in quotes, or “another recording”.
report-trim = マージンを短縮：{ $parts }。
report-trim-before = 開始前を{ $length }短縮（前の録画：{ $name }）
report-trim-after = 終了後を{ $length }短縮（次の録画：{ $name }）
report-trim-late = 開始が最大{ $length }遅れる（前の録画：{ $name }）
report-title = 「{ $name }」
report-another = 別の録画
report-day = { $date }（{ $weekday }）

# Lists of any length: of items, of items with commas, of sentences
report-items = { $before }、{ $next }
report-groups = { $before }／{ $next }
report-sentences = { $before }{ $next }
`;
