import type { ReviewTexts } from '../texts-type.ts'

export const review: ReviewTexts = {
  noneTitle: 'Nichts zu prüfen',
  noneAbout: 'Keine zwei Seiten sagen dasselbe, und nichts wirkt veraltet.',
  duplicates: (count) => `Doppeltes (${count})`,
  duplicatesAbout:
    'Derselbe Text an mehreren Stellen. Ändert sich eine davon, kommen Antworten vielleicht noch von der anderen: Schließen Sie aus, was Sie nicht brauchen.',
  shared: (count) => (count === 1 ? '1 Textabschnitt' : `${count} Textabschnitte`),
  of: (shared, all) => (shared >= all ? 'das ganze Dokument' : `${shared} von ${all} Textabschnitten`),
  more: (count) => `und ${count} weitere`,
  exclude: 'Hier ausschließen',
  excludeFrom: (title) => `Hier ausschließen: ${title}`,
  excludeAll: (count) => `Aus ${count} Dokumenten ausschließen`,
  excluded: 'Ausgeschlossen. Antworten verwenden es nicht mehr.',
  keepAll: 'Alle behalten',
  kept: 'Behalten. Bei einer Änderung erscheint es hier wieder.',
  outdated: (count) => `Möglicherweise veraltet (${count})`,
  outdatedAbout: 'Seiten, aus denen Besucher alte Antworten bekommen könnten.',
  reasons: {
    failing: 'Lässt sich nicht mehr laden. Zuletzt gelesen',
    past_date: 'Nennt ein vergangenes Datum:',
    not_read: 'Nicht mehr gecrawlt seit',
    unchanged: 'Unverändert seit',
  },
  website: 'Website',
  confirm: 'Stimmt noch',
  confirmOf: (title) => `Stimmt noch: ${title}`,
  confirmed: 'Bestätigt. Bei einer Änderung erscheint es hier wieder.',
  incomplete: 'Nur die ersten 200.000 Textabschnitte wurden verglichen.',
}
