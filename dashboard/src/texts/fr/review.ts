import type { Partially, ReviewTexts } from '../texts-type.ts'

export const review: Partially<ReviewTexts> = {
  noneTitle: 'Rien à vérifier',
  noneAbout: 'Aucune page n’en répète une autre, et rien ne semble périmé.',
  duplicates: (count) => `Doublons (${count})`,
  duplicatesAbout:
    'Le même texte à plusieurs endroits. Si l’un change, des réponses peuvent encore venir de l’autre : excluez ce qui ne sert pas.',
  shared: (count) => (count === 1 ? '1 passage' : `${count} passages`),
  of: (shared, all) => (shared >= all ? 'tout le document' : `${shared} passages sur ${all}`),
  more: (count) => `et ${count} de plus`,
  exclude: 'Exclure ici',
  excludeFrom: (title) => `Exclure ici : ${title}`,
  excludeAll: (count) => `Exclure de ${count} documents`,
  excluded: 'Exclu. Les réponses ne l’utilisent plus.',
  keepAll: 'Tout garder',
  kept: 'Gardé. Il réapparaîtra ici quand il changera.',
  outdated: (count) => `Peut-être périmé (${count})`,
  outdatedAbout: 'Pages dont les visiteurs pourraient tirer d’anciennes réponses.',
  reasons: {
    failing: 'Ne se charge plus. Dernière lecture :',
    past_date: 'Mentionne une date passée :',
    not_read: 'Plus exploré depuis le',
    unchanged: 'Inchangé depuis le',
  },
  website: 'Site web',
  confirm: 'Toujours juste',
  confirmOf: (title) => `Toujours juste : ${title}`,
  confirmed: 'Confirmé. Il réapparaîtra ici quand il changera.',
  incomplete: 'Seuls les 200 000 premiers passages ont été comparés.',
}
