import { setPassword } from '../../../server/src/maintenance/set-password.ts'
import { type Command, OK, UsageError } from '../command.ts'
import { INSTANCE_USAGE, instanceOf } from '../instance.ts'

export const resetPassword: Command = {
  name: 'reset-password',
  summary: 'set a new password for somebody who is locked out',
  usage: `[<e-mail>] [--remove-second-factor]

Asks for the new password, or reads it from standard input. All sessions of the account end. On SQLite the server must
be stopped.

  <e-mail>                the account; default: the instance owner
  --remove-second-factor  the password alone is then enough to log in

${INSTANCE_USAGE}`,
  options: { 'remove-second-factor': { type: 'boolean' } },

  async run({ values, positionals }, terminal) {
    const [email = null, ...others] = positionals
    if (others.length > 0) throw new UsageError('Give at most one email address.')
    const instance = instanceOf(terminal)
    const password = await terminal.readSecret('New password: ')
    const endsSecondFactor = values['remove-second-factor'] === true
    const account = await setPassword(instance, { email, password, endsSecondFactor, now: Date.now() })
    terminal.say(
      `${account.email} has a new password.${account.hasSecondFactor ? ' The second factor is still on.' : ''}`,
    )
    terminal.result({ email: account.email, second_factor: account.hasSecondFactor })
    return OK
  },
}
