import { INVITATION_DAYS } from '@docent/contract/limits'
import type { Partially, Texts } from '../texts-type.ts'

export const members: Partially<Texts['members']> = {
  title: 'Miembros',
  about: 'Las personas de este espacio de trabajo y sus roles.',
  invite: 'Invitar miembro',
  submit: 'Enviar invitación',
  emptyTitle: 'Aún no hay miembros',
  emptyAbout: 'Las personas que invite aparecen aquí cuando aceptan.',
  role: 'Rol',
  roles: { owner: 'Propietario', editor: 'Editor', agent: 'Agente', viewer: 'Lector' },
  roleHints: {
    owner: 'Acceso completo, incluidos miembros y eliminación',
    editor: 'Gestiona bots, conocimiento, claves y webhooks',
    agent: 'Responde a los visitantes',
    viewer: 'Acceso de solo lectura',
  },
  invited: 'Invitación creada',
  invitedAbout: `Comparta este enlace con la persona. Es válido durante ${INVITATION_DAYS} días.`,
  invitedSent: 'También se envió por correo.',
  pendingTitle: 'Invitaciones pendientes',
  expires: (when) => `caduca ${when}`,
  withdraw: 'Retirar',
  withdrawn: 'Invitación retirada',
  resetLink: 'Crear enlace para restablecer la contraseña',
  newResetLink: 'Enlace para restablecer la contraseña',
  resetLinkAbout: 'Compártalo con la persona. Funciona una sola vez, durante una hora.',
  changeEmail: 'Cambiar correo electrónico',
  changeEmailAbout:
    'La persona inicia sesión con esta dirección. Se cierran todas sus sesiones, se revocan sus tokens y se desvincula el inicio de sesión único.',
  twoFactor: 'autenticación en dos pasos',
  turnOffTwoFactor: 'Desactivar autenticación en dos pasos',
  turnOffTwoFactorTitle: (name) => `¿Desactivar la autenticación en dos pasos de ${name}?`,
  turnOffTwoFactorAbout:
    'Para miembros que perdieron tanto su teléfono como sus códigos de recuperación. Asegúrese de que la petición sea realmente suya. Se cierran todas sus sesiones e inician sesión solo con su contraseña hasta que la configuren de nuevo.',
  twoFactorOff: 'La autenticación en dos pasos está desactivada y se cerró la sesión del miembro.',
  remove: 'Quitar',
  removeTitle: (name) => `¿Quitar a ${name}?`,
  removeAbout:
    'Pierde de inmediato el acceso a este espacio de trabajo. Sus tokens, y los enlaces y tokens que creó para otros, dejan de funcionar.',
  you: 'usted',
}

export const usage: Partially<Texts['usage']> = {
  title: 'Uso',
  limits: 'Límites',
  plan: 'Plan',
  plans: { free: 'Free', starter: 'Starter', business: 'Business', enterprise: 'Enterprise' },
  chatApi: 'API de chat',
  included: 'Incluida',
  notIncluded: 'Requiere el plan Business o Enterprise',
  dailyLimit: 'Llamadas por clave y día',
  today: 'Hoy (UTC)',
  calls: (count) => (count === '1' ? '1 llamada' : `${count} llamadas`),
  keyCount: (count) => (count === 1 ? '1 clave' : `${count} claves`),
  noKeys: 'Sin claves',
  changeAbout: 'Lo define el propietario de la instancia.',
}

export const audit: Partially<Texts['audit']> = {
  title: 'Registro de auditoría',
  about: 'Quién hizo qué, primero lo más reciente.',
  emptyTitle: 'Aún no hay entradas',
  emptyAbout: 'Aquí se registran los inicios de sesión y los cambios en miembros, claves, webhooks y configuración.',
  action: 'Acción',
  target: 'Objeto',
  actor: 'Quién',
  ip: 'Dirección IP',
}

export const instance: Partially<Texts['instance']> = {
  title: 'Instancia',
  about: 'Todos los espacios de trabajo de esta instancia.',
  create: 'Nuevo espacio de trabajo',
  submit: 'Crear espacio de trabajo',
  created: 'Espacio de trabajo creado',
  edit: 'Editar espacio de trabajo',
  limit: 'Llamadas por clave y día',
  limitHint: (limit) => `Déjelo vacío para el valor predeterminado de ${limit}.`,
  total: 'Llamadas por día, todas las claves',
  totalHint: 'Para todo el espacio de trabajo. Déjelo vacío para no limitar.',
  limitShown: (limit) => `${limit} llamadas por clave y día`,
  switchTo: 'Cambiar a este espacio de trabajo',
  emptyTitle: 'Sin espacios de trabajo',
  emptyAbout: 'Cada espacio de trabajo tiene sus propios bots y miembros.',
}
