import { finishUpgrade } from '../../../server/src/maintenance/upgrades.ts'
import { type Command, FAILED, OK } from '../command.ts'
import { INSTANCE_USAGE, instanceOf } from '../instance.ts'

export const finishUpgradeCommand: Command = {
  name: 'finish-upgrade',
  summary: 'build the indexes and remove the columns that an upgrade left for later',
  usage: `

Servers do this by themselves once no older one is running; this does it now, for example before a release window ends.
Nothing that a running server uses is removed. Exit code 1 when something is left to do. On SQLite the server must be
stopped.

${INSTANCE_USAGE}`,
  options: {},

  async run(_input, terminal) {
    const unfinishedSteps = await finishUpgrade(instanceOf(terminal), Date.now())
    terminal.say(
      unfinishedSteps.length === 0 ? 'The upgrade is finished.' : `Left for later: ${unfinishedSteps.join(', ')}`,
    )
    terminal.result({ left: unfinishedSteps })
    return unfinishedSteps.length === 0 ? OK : FAILED
  },
}
