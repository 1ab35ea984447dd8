// What nobody should find in a log: numbers of cards and accounts, passwords and PINs that people write into a chat.

export const MASK = '••••'

// In the languages of the widget. "Card number" and "IBAN" name secrets, but their values are known by their check digits.
const SECRET_WORDS = [
  'password|passphrase|passcode|pass ?code|pin(?: code| number)?|secret|security code|access token|api key|cvv|cvc|otp|one-time code',
  '\\p{Script=Latin}{0,30}(?:passwort|kennwort)|geheimzahl|geheimnummer|pin-?nummer|prüfnummer|kartenprüfnummer|sicherheitscode',
  'mot de passe|code secret|code confidentiel|cryptogramme',
  'contraseña|clave secreta|código de seguridad',
  "parola d[’']ordine|codice segreto|codice di sicurezza",
  'senha|palavra-passe|código de segurança',
  '\\p{Script=Latin}{0,30}wachtwoord|pincode|beveiligingscode',
  'hasło|hasłem|kod pin|kod zabezpieczający|kod autoryzacyjny|kod weryfikacyjny',
  '\\p{Script=Latin}{0,30}lösenord(?:et)?|pinkod(?:en)?|säkerhetskod(?:en)?|engångskod(?:en)?',
  'adgangskoden?|kodeord(?:et)?|pinkoden?|sikkerhedskoden?|engangskoden?',
  'şifre|şifrem|şifremiz|şifresi|sifre|sifrem|parola|parolam|güvenlik kodu|doğrulama kodu',
  'пароль|паролем|пин-?код|код безопасности|код подтверждения',
  'كلمة المرور|كلمة السر|كلمة سر|كلمة مرور|كلمة سري|كلمة مروري|(?:الرقم|الرمز) السري|رقمي السري|رمز الأمان|رمز التحقق|(?:ال)?باسورد',
  '密码|密碼|验证码|驗證碼|安全码|安全碼|口令|パスワード|暗証番号|セキュリティコード|認証コード|確認コード',
].join('|')
const NAMED_NUMBERS =
  'card[ _-]?n(?:o|r|um(?:ber)?)|kartennummer|numéro de carte|número de (?:la )?tarjeta|numero (?:di|della) carta|número do cartão|kaartnummer|numer karty|kortnummer|kart numarası|номер карты|رقم البطاقة|卡号|カード番号|iban|ssn|social security'

/** Letters of scripts without spaces stand beside other words. */
const atWordStart = (words: string) => `(?<![\\p{Script=Latin}\\p{Script=Cyrillic}\\p{Script=Arabic}])(?:${words})`
const END = '(?![\\p{Script=Latin}\\p{Script=Cyrillic}\\p{Script=Arabic}])'
const NAMES_SECRET = new RegExp(`${atWordStart(`${SECRET_WORDS}|${NAMED_NUMBERS}`)}${END}`, 'iu')

/** Whether a label such as "Your PIN" or "Kartennummer" asks for a secret. */
export function namesSecret(label: string): boolean {
  return NAMES_SECRET.test(label.replaceAll('_', ' '))
}

// "Password: sesame", "my PIN is 1234", "PIN - 1234". Without a colon only what has a digit: a password may be "wrong" or
// "forgotten".
const COPULAS = 'is|was|ist|war|lautet|est|es|è|é|jest|to|är|er|это|هي|هو|是|は'
const TOLD = new RegExp(
  `(${atWordStart(SECRET_WORDS)}${END}\\s*(?:(?:${COPULAS})\\s*|[-–—]\\s+)?(?:[:=：]\\s*["'«„“]?(?=\\S)|["'«„“]?(?=\\S{0,60}\\d)(?=\\S{3})))[^\\s"'»“”]+`,
  'giu',
)
const CARD = /(?<![\p{L}\p{N}])\d(?:[ -]?\d){12,18}(?![\p{L}\p{N}])/gu
// Without the flag "i", which with "u" takes "ſ" for an "s" and the Kelvin sign for a "k".
const IBAN = /(?<![\p{L}\p{N}])[A-Za-z]{2}\d{2}(?: ?[A-Za-z0-9]){11,30}(?![\p{L}\p{N}])/gu
const SHORTEST_IBAN = 15
const FEWEST_DIGITS = 8

/** The text without card numbers, account numbers, and what it calls a password or PIN. */
export function maskSecrets(text: string): string {
  return text
    .replace(CARD, (number) => (isCardNumber(number.replace(/[ -]/g, '')) ? MASK : number))
    .replace(IBAN, maskIban)
    .replace(TOLD, (_, before: string) => before + MASK)
}

/** The check digit of Luhn. */
function isCardNumber(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const digitValue = Number(digit) * (index % 2 === 0 ? 1 : 2)
    return total + (digitValue > 9 ? digitValue - 9 : digitValue)
  }, 0)
  return sum % 10 === 0
}

/** Words may follow, which look like groups of one. */
function maskIban(match: string): string {
  for (let end = match.length; end >= SHORTEST_IBAN; end = match.lastIndexOf(' ', end - 1)) {
    const compact = match.slice(0, end).replaceAll(' ', '')
    if (compact.length >= SHORTEST_IBAN && isIban(compact)) return MASK + match.slice(end)
  }
  return match
}

/** ISO 13616: letters count from 10, and the whole leaves 1. */
function isIban(compact: string): boolean {
  if ((compact.match(/\d/g)?.length ?? 0) < FEWEST_DIGITS) return false
  const digits = [...compact.slice(4), ...compact.slice(0, 4)].map((sign) => Number.parseInt(sign, 36)).join('')
  return BigInt(digits) % 97n === 1n
}
