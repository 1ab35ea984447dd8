import type { Partially, ReviewTexts } from '../texts-type.ts'

export const review: Partially<ReviewTexts> = {
  noneTitle: 'Nada que revisar',
  noneAbout: 'No hay dos páginas que digan lo mismo y nada parece anticuado.',
  duplicates: (count) => `Duplicados (${count})`,
  duplicatesAbout:
    'El mismo texto en varios sitios. Si uno cambia, las respuestas aún pueden venir del otro: excluya lo que no necesite.',
  shared: (count) => (count === 1 ? '1 fragmento' : `${count} fragmentos`),
  of: (shared, all) => (shared >= all ? 'todo el documento' : `${shared} de ${all} fragmentos`),
  more: (count) => `y ${count} más`,
  exclude: 'Excluir aquí',
  excludeFrom: (title) => `Excluir aquí: ${title}`,
  excludeAll: (count) => `Excluir de ${count} documentos`,
  excluded: 'Excluido. Las respuestas ya no lo usan.',
  keepAll: 'Conservar todos',
  kept: 'Conservado. Volverá a aparecer aquí cuando cambie.',
  outdated: (count) => `Posiblemente anticuado (${count})`,
  outdatedAbout: 'Páginas de las que los visitantes podrían recibir respuestas antiguas.',
  reasons: {
    failing: 'Ya no se carga. Última lectura:',
    past_date: 'Menciona una fecha pasada:',
    not_read: 'Sin rastrear desde el',
    unchanged: 'Sin cambios desde el',
  },
  website: 'Sitio web',
  confirm: 'Sigue siendo correcto',
  confirmOf: (title) => `Sigue siendo correcto: ${title}`,
  confirmed: 'Confirmado. Volverá a aparecer aquí cuando cambie.',
  incomplete: 'Solo se compararon los primeros 200 000 fragmentos.',
}
