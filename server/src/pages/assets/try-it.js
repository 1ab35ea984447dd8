// The language of the samples, kept for the next visit, and "Try it": a form that calls this server from the page.

const LANGUAGES = { curl: 'Shell', node: 'Node', python: 'Python', php: 'PHP' }
const CHOICE = 'docent-docs-code'

// Storage may be blocked; then the choice holds for this page.
function remembered() {
  try {
    return localStorage.getItem(CHOICE)
  } catch {
    return null
  }
}

function chooseLanguage(language) {
  document.documentElement.dataset.code = language
  for (const button of document.querySelectorAll('.tools [data-code]'))
    button.setAttribute('aria-pressed', String(button.dataset.code === language))
  try {
    localStorage.setItem(CHOICE, language)
  } catch {}
}

function makeButton(text, onClick) {
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = text
  button.addEventListener('click', onClick)
  return button
}

for (const operation of document.querySelectorAll('.operation[data-path]')) {
  const tools = document.createElement('div')
  tools.className = 'tools'
  for (const [language, label] of Object.entries(LANGUAGES)) {
    const button = makeButton(label, () => chooseLanguage(language))
    button.dataset.code = language
    tools.append(button)
  }
  if (!('upload' in operation.dataset)) tools.append(makeTryButton(operation, tools))
  operation.querySelector('.samples').prepend(tools)
}
chooseLanguage(remembered() in LANGUAGES ? remembered() : 'curl')

function makeTryButton(operation, tools) {
  const start = makeButton('Try it', () => {
    const open = operation.querySelector('.trial')
    if (open) open.remove()
    else tools.after(makeTrial(operation))
    start.setAttribute('aria-expanded', String(!open))
  })
  start.className = 'try'
  start.setAttribute('aria-expanded', 'false')
  return start
}

function makeField(form, title, value, rows) {
  const label = document.createElement('label')
  const field = document.createElement(rows ? 'textarea' : 'input')
  label.textContent = title
  field.value = value
  field.spellcheck = false
  if (rows) field.rows = rows
  label.append(field)
  form.append(label)
  return field
}

/** Kept for the page only, and never stored. */
let credential = ''

function makeTrial(operation) {
  const { method, path } = operation.dataset
  const example = new URL(/https?:\/\/[^"']+/.exec(sampleOf(operation, 'call'))?.[0] ?? path, location.href)
  const body = bodyOf(sampleOf(operation, 'call'))
  const form = document.createElement('form')
  form.className = 'trial'
  const address = makeField(form, `${method} on this server`, example.pathname + example.search)
  const token = makeField(form, 'Key or token (empty: your session in the dashboard)', credential)
  token.type = 'password'
  token.autocomplete = 'off'
  const content = body === null ? null : makeField(form, 'Body', body, Math.min(12, body.split('\n').length))
  const send = document.createElement('button')
  send.textContent = 'Send'
  const answer = document.createElement('pre')
  answer.tabIndex = 0
  answer.setAttribute('role', 'status')
  answer.hidden = true
  form.append(send, answer)
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    credential = token.value
    send.disabled = true
    answer.hidden = false
    answer.textContent = await call(method, address.value, content?.value, credential).catch(String)
    send.disabled = false
  })
  return form
}

function sampleOf(operation, kind) {
  return operation.querySelector(`[data-sample="${kind}"]`)?.textContent ?? ''
}

/** The JSON of a sample in the shell. */
function bodyOf(sample) {
  const quoted = /-d '([\s\S]*)'$/.exec(sample)?.[1]
  return quoted === undefined ? null : quoted.replaceAll("'\\''", "'").replaceAll('\n  ', '\n')
}

async function call(method, address, body, token) {
  // Only this server gets the credential, whatever was typed.
  const url = new URL(address, location.origin)
  if (url.origin !== location.origin) return 'Only addresses of this server can be called.'
  const response = await fetch(url, {
    method,
    ...(body === undefined ? {} : { body }),
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === '' ? {} : authorization(token)),
    },
  })
  const text = await response.text()
  return `${response.status} ${response.statusText}\n\n${pretty(text)}`
}

function authorization(token) {
  if (token.startsWith('dct_sync_')) return { 'x-service-key': token }
  return token.startsWith('dct_visitor_') ? { 'x-visitor-token': token } : { authorization: `Bearer ${token}` }
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text.slice(0, 20_000)
  }
}
