import { IDENTITY_KEYS_PER_BOT } from '@docent/contract/limits'
import type { IdentityTexts, Partially } from '../texts-type.ts'

export const identity: Partially<IdentityTexts> = {
  title: 'Visitantes con sesión iniciada',
  about:
    'Su sitio web indica al bot quiénes son los usuarios con sesión iniciada, con una firma que nadie puede falsificar.',
  keys: 'Claves de identidad',
  keysAbout:
    'Su servidor usa una clave para firmar quién es el visitante. Para reemplazar una clave, cree la segunda, firme con ella y elimine la primera cuando ya no se use.',
  create: 'Nueva clave',
  full: `Un bot puede tener ${IDENTITY_KEYS_PER_BOT} claves. Elimine una para crear otra.`,
  emptyTitle: 'Aún no hay claves',
  emptyAbout: 'Cree una y guárdela en su servidor, nunca en una página.',
  madeTitle: 'Su nueva clave de identidad',
  key: 'Clave',
  keyId: 'ID de la clave (kid)',
  created: 'Creada',
  used: 'Último uso',
  unused: 'Sin usar',
  deleteKey: 'Eliminar',
  deleteTitle: '¿Eliminar esta clave?',
  deleteAbout: (id) =>
    `Los visitantes con tokens firmados con ${id} pasan a ser anónimos de inmediato, hasta que su servidor firme con otra clave.`,
  deleted: 'Clave eliminada.',
  rules: 'Requisitos',
  rulesAbout: 'Para qué deben iniciar sesión los visitantes.',
  requireForActions: 'Acciones',
  requireForActionsHint:
    'No se ejecuta ninguna acción para visitantes sin sesión iniciada, ni siquiera las que todos pueden usar.',
  requireForChat: 'Todo el chat',
  requireForChatHint:
    'A los demás se les pide que inicien sesión en su sitio web. No afecta al área de pruebas ni a la API de chat.',
  noKey: 'Primero, cree una clave: sin ella, nadie puede usar el chat.',
  sign: 'Firmar en su servidor',
  signAbout:
    'Un token identifica a un usuario y es válido durante 24 horas como máximo. Cree uno nuevo cada vez que se cargue una página.',
  embed: 'Pasar el token al widget',
  embedAbout: 'En la página que su servidor genera para el usuario, o más tarde desde un script.',
  guide: 'Leer la guía',
  levels: { anonymous: 'Anónimo', claimed: 'No verificado', verified: 'Verificado' },
  levelHints: {
    anonymous: '',
    claimed: 'El visitante dio estos datos. Nadie los ha comprobado.',
    verified: 'Su sitio web demostró quién es este visitante.',
  },
  level: 'Identidad',
  phone: 'Teléfono',
  verifiedDetails: 'Verificado por su sitio web',
  verifiedAt: 'Verificado',
}
