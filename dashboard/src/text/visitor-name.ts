// A made-up but stable name for anonymous visitors, so that the team can refer to them. As any name, it is the same in
// every language.
const STARTS =
  'Brave Bright Calm Careful Cheerful Clever Curious Eager Friendly Gentle Happy Honest Kind Lively Lucky Merry Nimble Patient Polite Quick Quiet Steady Swift Witty'
const ENDS =
  'Badger Bear Beaver Deer Dolphin Eagle Falcon Fox Hare Hedgehog Heron Koala Leopard Lion Lynx Moose Otter Panda Penguin Raven Stork Tiger Wolf Woodpecker'

export function visitorName(visitorId: string): string {
  const hash = hashText(visitorId)
  const [starts, ends] = [STARTS.split(' '), ENDS.split(' ')]
  return `${starts[hash % starts.length]} ${ends[Math.floor(hash / starts.length) % ends.length]}`
}

export function hashText(text: string): number {
  let hash = 2166136261
  for (const letter of text) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 16777619) >>> 0
  return hash
}
