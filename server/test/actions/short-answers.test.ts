// "Yes", "no" and "cancel" as people type them while an action collects its inputs.
import { expect, test } from 'vitest'
import { isAnswer } from '../../src/actions/dialogue-words.ts'

const yes =
  'Oczywiście!|tak, poproszę|Absolut|ja gärna|Selvfølgelig|ja gerne|Elbette|tabii ki|بالتأكيد|أوافق|Да, конечно|всё верно|确定|沒錯|好的。|はい、大丈夫です。|もちろんです'
const no =
  'nie trzeba|niekoniecznie|nej, inte nu|nix|ellers tak|gerek yok|Hayır, istemiyorum|لا داعي|не нужно|пока нет|不需要|没有|いりません|必要ありません'
const cancel = 'przerwij|jag ångrar mig|jeg fortryder|vazgeçiyorum|غيرت رأيي|я передумала|算了吧|やっぱりやめます'

test.each([
  ['yesWords', yes],
  ['noWords', no],
  ['cancelWords', cancel],
] as const)('%s are understood in every language: %s', (kind, list) => {
  expect(list.split('|').filter((text) => !isAnswer(kind, text))).toEqual([])
})

test('what can mean both in Japanese is neither', () => {
  for (const kind of ['yesWords', 'noWords', 'cancelWords'] as const) expect(isAnswer(kind, '大丈夫です')).toBe(false)
})
