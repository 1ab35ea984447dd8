import { Menu } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useApiList } from '../api.ts'
import { useBot, useBotId } from '../features/bots/use-bot.ts'
import { useTexts } from '../texts/texts.tsx'
import { Icon } from '../ui/icon.tsx'

/** Switches between bots; hidden on screens without a bot. */
export function BotPicker() {
  const { shell } = useTexts()
  const botId = useBotId()
  const { data: bot } = useBot()
  const { items } = useApiList('GET /api/manage/v1/bots', { query: { limit: 50 } })
  if (!botId) return null
  return (
    <Menu width="target" position="bottom-start">
      <Menu.Target>
        <button type="button" className="picker">
          <span className="avatar" aria-hidden="true">
            {(bot?.name ?? '…').slice(0, 1).toUpperCase()}
          </span>
          <span>
            <small>{shell.bot}</small>
            <strong>{bot?.name ?? '…'}</strong>
          </span>
          <Icon name="updown" size={16} />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {items.map(({ id, name }) => (
          <Menu.Item key={id} component={Link} to={`/bots/${id}`} {...(id === botId ? { 'aria-current': true } : {})}>
            {name}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item component={Link} to="/bots/new" leftSection={<Icon name="plus" size={16} />}>
          {shell.newBot}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
