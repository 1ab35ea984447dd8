import { Fault } from '@docent/contract'

export async function requireCallableUrl(
  url: string,
  path: string,
  urlProblem: (url: string) => Promise<string | null>,
) {
  const message = await urlProblem(url)
  if (message) throw new Fault('validation_failed', { details: [{ path, message }] })
}
