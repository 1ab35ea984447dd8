import { checkInstance } from '../../../server/src/maintenance/check-instance.ts'
import { type Command, FAILED, OK } from '../command.ts'
import { INSTANCE_USAGE, instanceOf } from '../instance.ts'

const marks = { ok: '✓', warning: '!', failed: '✗' }

export const doctor: Command = {
  name: 'doctor',
  summary: 'check the instance for problems',
  usage: `

Checks settings, data folder, disk, database, secret key and models, and changes nothing. Exit code 1 when something
would keep the server from working.

${INSTANCE_USAGE}`,
  options: {},

  async run(_input, terminal) {
    const findings = await checkInstance(instanceOf(terminal))
    for (const { name, state, message } of findings) terminal.say(`${marks[state]} ${name}: ${message}`)
    terminal.result({ findings })
    return findings.some(({ state }) => state === 'failed') ? FAILED : OK
  },
}
