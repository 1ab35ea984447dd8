// The server's field errors in German. A sentence missing here is shown in English.
const sentences: [RegExp, string][] = [
  [/^This field is required\.$/, 'Dieses Feld ist erforderlich.'],
  [/^This field must not be empty\.$/, 'Dieses Feld darf nicht leer sein.'],
  [/^This value is not valid\.$/, 'Dieser Wert ist ungültig.'],
  [/^Use a string\.$/, 'Geben Sie einen Text ein.'],
  [/^Use a whole number\.$/, 'Geben Sie eine ganze Zahl ein.'],
  [/^Use a number\.$/, 'Geben Sie eine Zahl ein.'],
  [/^Use one of these: (.+)\.$/, 'Wählen Sie einen dieser Werte: $1.'],
  [/^Use at least (\d+) characters\.$/, 'Verwenden Sie mindestens $1 Zeichen.'],
  [/^Use at most (\d+) characters\.$/, 'Verwenden Sie höchstens $1 Zeichen.'],
  [/^Use (-?[\d.]+) or more\.$/, 'Der Wert muss mindestens $1 sein.'],
  [/^Use (-?[\d.]+) or less\.$/, 'Der Wert darf höchstens $1 sein.'],
  [/^Use at least one entry\.$/, 'Geben Sie mindestens einen Eintrag an.'],
  [/^Use at least (\d+) entries\.$/, 'Geben Sie mindestens $1 Einträge an.'],
  [/^Use at most one entry\.$/, 'Geben Sie höchstens einen Eintrag an.'],
  [/^Use at most (\d+) entries\.$/, 'Geben Sie höchstens $1 Einträge an.'],
  [/^Remove the duplicate entries\.$/, 'Entfernen Sie die doppelten Einträge.'],
  [/^This is not a URL\. Enter a complete one, such as (\S+)\.$/, 'Das ist keine URL. Beispiel: $1'],
  [/^Enter a URL that starts with http:\/\/ or https:\/\/\.$/, 'Die URL muss mit http:// oder https:// beginnen.'],
  [/^Too many requests\. /, 'Zu viele Anfragen. Versuchen Sie es gleich erneut.'],
  [/^Too many attempts\. Try again in (\d+) seconds?\.$/, 'Zu viele Versuche. Versuchen Sie es in $1 Sekunden erneut.'],
  [/^Too many attempts\. Try again in 1 minute\.$/, 'Zu viele Versuche. Versuchen Sie es in einer Minute erneut.'],
  [/^Too many attempts\. Try again in (\d+) minutes\.$/, 'Zu viele Versuche. Versuchen Sie es in $1 Minuten erneut.'],
  [/^Enter a site, such as (\S+)\.$/, 'Geben Sie eine Website ein, z. B. $1.'],
  [/^Enter a time zone, such as (\S+)\.$/, 'Geben Sie eine Zeitzone ein, z. B. $1.'],
  [/^Enter a time in RFC 3339, such as (\S+)\.$/, 'Geben Sie eine Zeit nach RFC 3339 ein, z. B. $1.'],
  [/^Use a value such as (.+)\.$/, 'Verwenden Sie einen Wert wie $1.'],
  [/^This email is already in use\.$/, 'Diese E-Mail-Adresse wird bereits verwendet.'],
  [/^This code is incorrect\.$/, 'Dieser Code ist falsch.'],
  [/^This password is incorrect\.$/, 'Dieses Passwort ist falsch.'],
  [/^This password is too common\. /, 'Dieses Passwort ist zu verbreitet. Wählen Sie ein anderes.'],
  [/^Do not use your email address /, 'Verwenden Sie nicht Ihre E-Mail-Adresse als Passwort.'],
  [/^The URL must not contain a user name/, 'Die URL darf keine Zugangsdaten enthalten.'],
  [/^Use a PNG, JPEG or WebP picture\.$/, 'Verwenden Sie ein Bild im Format PNG, JPEG oder WebP.'],
  [/^The picture cannot be read\.$/, 'Das Bild ist nicht lesbar.'],
  [
    /^The picture may be at most (\d+) pixels wide and high\.$/,
    'Das Bild darf höchstens $1 Pixel breit und hoch sein.',
  ],
  [
    /^This host (?:is|resolves to) .+, which is not allowed\. The operator can allow it with (\w+)\.$/,
    'Dieser Host hat eine lokale, private oder reservierte Adresse, was nicht erlaubt ist. Der Betreiber kann sie mit $1 erlauben.',
  ],
  [/^Set up a language model first\.$/, 'Richten Sie zuerst ein Sprachmodell ein.'],
]

export function fieldSentence(sentence: string): string {
  const found = sentences.find(([pattern]) => pattern.test(sentence))
  if (!found) return sentence
  const [, ...values] = found[0].exec(sentence) ?? []
  return found[1].replace(/\$(\d)/g, (_, index) => values[index - 1] ?? '')
}
