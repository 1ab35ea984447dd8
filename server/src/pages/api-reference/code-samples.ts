// The same call in four languages, each without a library that is not everywhere.
import type { Endpoint } from './document.ts'
import { addressOf, curlOf, type MakeExample, ownHeaders, requestExample, variables } from './example.ts'

interface CodeSample {
  language: 'curl' | 'node' | 'python' | 'php'
  label: string
  code: string
}

interface Call {
  method: string
  url: string
  /** Header names with expressions of the language, such as `Bearer ${…}`. */
  credential: { header: string; prefix: string; variable: string } | null
  /** The others, as they are sent. */
  headers: Record<string, string>
  body: unknown
}

export function codeSamples(endpoint: Endpoint, baseUrl: string, make: MakeExample): CodeSample[] {
  const call = callOf(endpoint, baseUrl, make)
  return [
    { language: 'curl', label: 'Shell', code: curlOf(endpoint, baseUrl, make) },
    { language: 'node', label: 'Node', code: nodeCode(call) },
    { language: 'python', label: 'Python', code: pythonCode(call) },
    { language: 'php', label: 'PHP', code: phpCode(call) },
  ]
}

function callOf(endpoint: Endpoint, baseUrl: string, make: MakeExample): Call {
  const scheme = Object.keys(endpoint.operation.security[0] ?? {})[0]
  const variable = scheme === 'session' ? 'COOKIE' : (variables[scheme ?? ''] ?? '$TOKEN').slice(1)
  const header = scheme === 'session' ? 'Cookie' : (ownHeaders[scheme ?? ''] ?? 'Authorization')
  const body = requestExample(endpoint, make, true)
  return {
    method: endpoint.method,
    url: `${baseUrl}${addressOf(endpoint)}`,
    credential: scheme ? { header, prefix: header === 'Authorization' ? 'Bearer ' : '', variable } : null,
    headers: {
      // Changes with a session are refused from other origins, and without one.
      ...(scheme === 'session' && endpoint.method !== 'GET' ? { Origin: baseUrl } : {}),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    body,
  }
}

function nodeCode({ method, url, credential, headers: others, body }: Call): string {
  const value = credential && `env.${credential.variable}`
  const headers = [
    ...(credential
      ? [`${quotedName(credential.header)}: ${credential.prefix ? `\`${credential.prefix}\${${value}}\`` : value}`]
      : []),
    ...Object.entries(others).map(([name, text]) => `${quotedName(name)}: '${text}'`),
  ]
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(headers.length > 0 ? [`  headers: { ${headers.join(', ')} },`] : []),
    ...(body === undefined ? [] : [`  body: JSON.stringify(${indentLines(JSON.stringify(body, null, 2), '  ')}),`]),
  ]
  const optionsArgument = options.length > 0 ? `, {\n${options.join('\n')}\n}` : ''
  const start = credential ? "import { env } from 'node:process'\n\n" : ''
  return `${start}const response = await fetch('${url}'${optionsArgument})\nconsole.log(response.status, await response.text())`
}

function quotedName(name: string): string {
  return /^\w+$/.test(name) ? name : `'${name}'`
}

function pythonCode({ method, url, credential, headers: others, body }: Call): string {
  const headers = [
    ...(credential
      ? [
          `"${credential.header}": ${credential.prefix ? `"${credential.prefix}" + ` : ''}os.environ["${credential.variable}"]`,
        ]
      : []),
    ...Object.entries(others).map(([name, text]) => `"${name}": "${text}"`),
  ]
  const lines = [
    body === undefined ? 'import os, urllib.request' : 'import json, os, urllib.request',
    '',
    'request = urllib.request.Request(',
    `    "${url}",`,
    `    method="${method}",`,
    ...(headers.length > 0 ? [`    headers={${headers.join(', ')}},`] : []),
    ...(body === undefined ? [] : [`    data=json.dumps(${indentLines(pythonLiteral(body), '    ')}).encode(),`]),
    ')',
    'with urllib.request.urlopen(request) as response:',
    '    print(response.status, response.read().decode())',
  ]
  return lines.join('\n')
}

/** JSON is a Python literal but for three words, which strings may contain too. */
function pythonLiteral(value: unknown): string {
  const words: Record<string, string> = { true: 'True', false: 'False', null: 'None' }
  return JSON.stringify(value, null, 2).replace(
    /"(?:\\.|[^"\\])*"|\b(?:true|false|null)\b/g,
    (part) => words[part] ?? part,
  )
}

function phpCode({ method, url, credential, headers: others, body }: Call): string {
  const headers = [
    ...(credential ? [`'${credential.header}: ${credential.prefix}' . getenv('${credential.variable}')`] : []),
    ...Object.entries(others).map(([name, text]) => `'${name}: ${text}'`),
  ]
  const options = [
    `    CURLOPT_CUSTOMREQUEST => '${method}',`,
    '    CURLOPT_RETURNTRANSFER => true,',
    ...(headers.length > 0 ? [`    CURLOPT_HTTPHEADER => [${headers.join(', ')}],`] : []),
    ...(body === undefined ? [] : [`    CURLOPT_POSTFIELDS => json_encode(${indentLines(phpLiteral(body), '    ')}),`]),
  ]
  return `<?php\n$call = curl_init('${url}');\ncurl_setopt_array($call, [\n${options.join('\n')}\n]);\necho curl_exec($call);`
}

function phpLiteral(value: unknown, indent = ''): string {
  if (Array.isArray(value)) return `[${value.map((item) => phpLiteral(item, indent)).join(', ')}]`
  if (typeof value === 'string') return `'${value.replace(/[\\']/g, '\\$&')}'`
  if (typeof value !== 'object' || value === null) return String(value)
  const inner = `${indent}  `
  const entries = Object.entries(value).map(([name, item]) => `${inner}'${name}' => ${phpLiteral(item, inner)}`)
  return entries.length === 0 ? '(object) []' : `[\n${entries.join(',\n')}\n${indent}]`
}

function indentLines(text: string, by: string): string {
  return text.replaceAll('\n', `\n${by}`)
}
