// One operation: what it does, who may call it, its input and output, and its errors.
import { type Html, html, prose } from '../page-html.ts'
import { codeSamples } from './code-samples.ts'
import { type ApiDocument, type Endpoint, type Operation, statusOf, successOf } from './document.ts'
import { makeExampleMaker, requestExample } from './example.ts'
import { type Field, fieldsOf, makeResolve, meaning, type Resolve, typeName } from './schema.ts'

const ROLE = /\s*(Needs the role `\w+`\.|Instance owner only\.)$/

const callers: Record<string, string> = {
  chatKey: 'Chat API key',
  syncKey: 'Sync key',
  visitorToken: 'Visitor token',
  managementToken: 'Management token',
  session: 'Session',
  metricsToken: 'Metrics token',
}

export function makeRenderOperation(document: ApiDocument): (endpoint: Endpoint) => Html {
  const resolve = makeResolve(document.components.schemas)
  const make = makeExampleMaker(resolve)
  const baseUrl = document.servers[0]?.url ?? ''

  return (endpoint) => {
    const { method, path, operation } = endpoint
    const { operationId, summary, description = '' } = operation
    const text = description.replace(ROLE, '')
    const body = requestExample(endpoint, make, false)
    // The call shows the minimal body; add a second sample only if there is more to show.
    const hasMore = JSON.stringify(body) !== JSON.stringify(requestExample(endpoint, make, true))
    // The page has no form for files.
    const isUpload = 'multipart/form-data' in (operation.requestBody?.content ?? {})
    const answer = successOf(operation).content?.['application/json']?.schema
    return html`<article class="operation" id="${operationId}" data-method="${method}" data-path="${path}"${isUpload && html` data-upload`}>
<h3><a class="anchor" href="#${operationId}">${summary}</a></h3>
<p class="endpoint">${methodBadge(method)} <code>${pathParts(path)}</code></p>
<div class="columns">
<div class="text">
${text && html`<p>${prose(text)}</p>`}
<p class="caller"><span class="label">Who may call</span> ${caller(operation, description)}</p>
${parameters(operation, resolve)}
${requestBody(operation, resolve)}
${answerFields(operation, resolve)}
${errors(operation)}
</div>
<div class="samples">
${codeSamples(endpoint, baseUrl, make).map(({ language, label, code }) => sample(`Call · ${label}`, html`${code}`, 'call', language))}
${hasMore && sample('Body with every field', json(body), 'request')}
${answer && sample(`Answer ${statusOf(operation)}`, json(make(answer)), 'answer')}
</div>
</div>
</article>`
  }
}

export function methodBadge(method: string): Html {
  return html`<span class="method ${method.toLowerCase()}">${method}</span>`
}

/** `language`: one of several samples, of which the chosen one is shown. */
export function sample(title: string, content: Html, kind: string, language?: string): Html {
  return html`<figure class="sample"${language && html` data-language="${language}"`}><figcaption>${title}</figcaption><pre tabindex="0"><code data-sample="${kind}">${content}</code></pre></figure>`
}

/** Pretty-printed, with names, strings and other values highlighted differently. */
export function json(value: unknown): Html {
  const pieces = JSON.stringify(value, null, 2).split(/("(?:\\.|[^"\\])*"(?:\s*:)?|\b(?:true|false|null)\b|-?\d[\d.]*)/)
  return html`${pieces.map((piece, index) => (index % 2 ? html`<span class="${kindOf(piece)}">${piece}</span>` : piece))}`
}

function kindOf(piece: string): string {
  if (!piece.startsWith('"')) return 'literal'
  return piece.endsWith(':') ? 'name' : 'string'
}

function pathParts(path: string): Html[] {
  return path.split(/(\{\w+\})/).map((part, index) => (index % 2 ? html`<em>${part}</em>` : html`${part}`))
}

function caller({ security }: Operation, description: string): Html {
  const [first, ...others] = security
  const scheme = Object.keys(first ?? {})[0]
  if (!scheme) return html`Anyone, without a credential.`
  const role = ROLE.exec(description)?.[1]
  return html`<a href="/docs/api#authentication">${callers[scheme] ?? scheme}</a>${others.map(alternative)}${role ? html` · ${prose(role)}` : ''}`
}

/** Another accepted credential; an empty one means none is required. */
function alternative(other: Record<string, unknown>): string {
  const [scheme] = Object.keys(other)
  return scheme ? ` or ${(callers[scheme] ?? scheme).toLowerCase()}` : ' (optional)'
}

function parameters({ parameters: all = [] }: Operation, resolve: Resolve): Html | false {
  if (all.length === 0) return false
  const rows = all.map(({ name, in: place, required, schema }): Field => {
    const resolvedSchema = resolve(schema)
    const thing = place === 'path' && /^(\w+)Id$/.exec(name)?.[1]
    const describedSchema =
      thing && !resolvedSchema.description
        ? { ...resolvedSchema, description: `Identifier of the ${thing}.` }
        : resolvedSchema
    return {
      name,
      depth: 0,
      required,
      type: `${typeName(resolvedSchema, resolve)} in ${place}`,
      meaning: meaning(describedSchema),
    }
  })
  return fieldTable('Parameters', rows, 'required')
}

function requestBody({ requestBody: body }: Operation, resolve: Resolve): Html | false {
  const schema = body?.content['application/json']?.schema
  if (!body || !schema) return false
  const others = Object.keys(body.content).filter((type) => type !== 'application/json')
  return html`${fieldTable('Body', fieldsOf(schema, resolve), 'required', resolve(schema).description)}
${others.length > 0 && html`<p class="note">Also accepted as ${prose(others.map((type) => `\`${type}\``).join(', '))}.</p>`}`
}

function answerFields(operation: Operation, resolve: Resolve): Html {
  const status = statusOf(operation)
  const contents = Object.entries(successOf(operation).content ?? {})
  if (contents.length === 0) return html`<h4>Answer</h4><p class="note"><code>${status}</code> without a body.</p>`
  return html`${contents.map(([type, { schema }]) => {
    const fields = fieldsOf(schema, resolve)
    const { description = '' } = resolve(schema)
    if (fields.length > 0) return fieldTable('Answer', fields, 'optional', description)
    const lead = contents.length > 1 ? 'Or as' : 'As'
    return html`${contents.length === 1 && html`<h4>Answer</h4>`}<p class="note">${lead} <code>${type}</code>${description ? html`: ${prose(description)}` : '.'}</p>`
  })}`
}

/** Marks the required fields of a request, or the optional ones of a response. */
export function fieldTable(title: string, fields: Field[], mark: 'required' | 'optional', description = ''): Html {
  return html`<h4>${title}</h4>
${description && html`<p class="note">${prose(description)}</p>`}
<table class="fields"><caption class="unseen">${title}</caption>
<thead><tr><th class="head" scope="col">Name</th><th class="head" scope="col">Type</th><th class="head" scope="col">Meaning</th></tr></thead>
<tbody>${fields.map(
    ({ name, depth, type, required, meaning }) => html`
<tr><th class="depth-${depth}" scope="row"><code class="field">${name}</code>${required === (mark === 'required') && html` <span class="mark ${mark}">${mark}</span>`}</th><td class="type">${type}</td><td class="meaning depth-${depth}">${prose(meaning)}</td></tr>`,
  )}
</tbody></table>`
}

function errors({ responses }: Operation): Html | false {
  const failures = Object.entries(responses).filter(([status]) => Number(status) >= 400)
  if (failures.length === 0) return false
  return html`<details class="errors"><summary><span class="label">Errors</span> ${failures.map(([status]) => html`<span class="status">${status}</span> `)}</summary>
<dl>${failures.flatMap(([status, { description }]) =>
    codes(description).map(
      ({ code, sentence }) =>
        html`<dt><span class="status">${status}</span> <code>${code}</code></dt><dd>${prose(sentence)}</dd>`,
    ),
  )}</dl></details>`
}

/** "`code`: Sentence. `other`: Sentence." → one entry per code. */
function codes(description: string): { code: string; sentence: string }[] {
  const [, ...parts] = description.split(/`(\w+)`: /)
  return parts.flatMap((code, index) => (index % 2 ? [] : [{ code, sentence: (parts[index + 1] ?? '').trim() }]))
}
