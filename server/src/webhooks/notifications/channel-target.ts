// A channel's target: email addresses, or the URL of an incoming webhook.
import { type ChannelKind, type ErrorDetail, Fault } from '@docent/contract'
import { requireCallableUrl } from '../require-callable-url.ts'

interface Input {
  url?: string | undefined
  recipients?: string[] | undefined
}

/** Hosts that belong to one tool, to detect a URL pasted into the wrong kind of channel. */
const ownHosts: { kind: ChannelKind; name: string; host: RegExp }[] = [
  { kind: 'slack', name: 'Slack', host: /^hooks\.slack(?:-gov)?\.com$/ },
  { kind: 'discord', name: 'Discord', host: /(?:^|\.)discord(?:app)?\.com$/ },
  { kind: 'teams', name: 'Microsoft Teams', host: /\.(?:webhook\.office\.com|logic\.azure\.com|powerplatform\.com)$/ },
]

/** Undefined if the request sets no target. */
export async function readTarget(
  kind: ChannelKind,
  { url, recipients }: Input,
  urlProblem: (url: string) => Promise<string | null>,
): Promise<string | undefined> {
  const details: ErrorDetail[] = []
  if (kind === 'email' && url !== undefined)
    details.push({ path: 'url', message: 'An email channel takes recipients instead of a URL.' })
  if (kind !== 'email' && recipients !== undefined)
    details.push({ path: 'recipients', message: 'Only email channels take recipients.' })
  const owner = url && URL.canParse(url) ? ownHosts.find(({ host }) => host.test(new URL(url).hostname)) : undefined
  if (owner && kind !== 'generic' && owner.kind !== kind)
    details.push({ path: 'url', message: `This is a ${owner.name} URL.` })
  if (details.length > 0) throw new Fault('validation_failed', { details })
  if (url !== undefined) await requireCallableUrl(url, 'url', urlProblem)
  return kind === 'email' ? recipients?.join(',') : url
}

/** The part of a target that may be shown. */
export function shownTarget(kind: ChannelKind, target: string | undefined) {
  if (kind === 'email') return { recipients: target ? target.split(',') : [], url_hint: null }
  if (!target || !URL.canParse(target)) return { recipients: [], url_hint: null }
  return { recipients: [], url_hint: `${new URL(target).host}/…${target.slice(-4)}` }
}
