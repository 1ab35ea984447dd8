import type { Partially, ReviewTexts } from '../texts-type.ts'

export const review: Partially<ReviewTexts> = {
  noneTitle: 'Nulla da verificare',
  noneAbout: 'Nessuna pagina ne ripete un’altra e nulla sembra superato.',
  duplicates: (count) => `Doppioni (${count})`,
  duplicatesAbout:
    'Lo stesso testo in più punti. Se uno cambia, le risposte possono ancora venire dall’altro: escludere ciò che non serve.',
  shared: (count) => (count === 1 ? '1 brano' : `${count} brani`),
  of: (shared, all) => (shared >= all ? 'tutto il documento' : `${shared} brani su ${all}`),
  more: (count) => `e altri ${count}`,
  exclude: 'Escludi qui',
  excludeFrom: (title) => `Escludi qui: ${title}`,
  excludeAll: (count) => `Escludi da ${count} documenti`,
  excluded: 'Escluso. Le risposte non lo usano più.',
  keepAll: 'Mantieni tutti',
  kept: 'Mantenuto. Ricomparirà qui quando cambierà.',
  outdated: (count) => `Forse superato (${count})`,
  outdatedAbout: 'Pagine da cui i visitatori potrebbero ricevere risposte vecchie.',
  reasons: {
    failing: 'Non si carica più. Ultima lettura:',
    past_date: 'Cita una data passata:',
    not_read: 'Non più scansionato dal',
    unchanged: 'Invariato dal',
  },
  website: 'Sito web',
  confirm: 'Ancora corretto',
  confirmOf: (title) => `Ancora corretto: ${title}`,
  confirmed: 'Confermato. Ricomparirà qui quando cambierà.',
  incomplete: 'Sono stati confrontati solo i primi 200.000 brani.',
}
