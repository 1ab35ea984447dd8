import { SCREENS } from '@docent/contract/screens'
import { Menu, useMantineColorScheme } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { queryClient, useApiMutation } from '../api.ts'
import { useHasRole, useSession, useWorkspace } from '../session.ts'
import { currentLanguage, type InterfaceLanguage, languages, switchLanguage, useTexts } from '../texts/texts.tsx'
import { Icon } from '../ui/icon.tsx'
import { loadWhenReachable } from './load-screen.ts'

const load = () => import('../features/account/availability.tsx')
const AvailabilityItems = lazy(loadWhenReachable(async () => ({ default: (await load()).AvailabilityItems })))
const AwayMark = lazy(loadWhenReachable(async () => ({ default: (await load()).AwayMark })))

/** Account, availability, workspace, colour scheme, language and logout. */
export function AccountMenu() {
  const { shell } = useTexts()
  const { account, workspaces, workspace_id } = useSession()
  const workspace = useWorkspace()
  const isAgent = useHasRole('agent')
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const choose = useApiMutation('PATCH /api/manage/v1/session', { onDone: () => location.assign('/') })
  const logOut = useApiMutation('DELETE /api/manage/v1/session', {
    onDone: () => {
      queryClient.clear()
      location.assign(SCREENS.logIn)
    },
  })
  const looks = { light: shell.light, dark: shell.dark, auto: shell.auto }
  return (
    <Menu width="target" position="top-start">
      <Menu.Target>
        <button type="button" className="picker">
          <span className="avatar" aria-hidden="true">
            {account.name.slice(0, 1).toUpperCase()}
          </span>
          <span>
            <strong>{account.name}</strong>
            <small>
              <Suspense>{isAgent && <AwayMark />}</Suspense>
              {workspace?.name ?? account.email}
            </small>
          </span>
          <Icon name="updown" size={16} />
        </button>
      </Menu.Target>
      <Menu.Dropdown className="account-menu">
        <Menu.Item component={Link} to={SCREENS.account} leftSection={<Icon name="person" size={16} />}>
          {shell.account}
        </Menu.Item>
        <Suspense fallback={isAgent && <AvailabilitySpace />}>
          <AvailabilityItems />
        </Suspense>
        {workspaces.length > 1 && <Menu.Label>{shell.workspace}</Menu.Label>}
        {workspaces.length > 1 &&
          workspaces.slice(0, 12).map(({ id, name }) => (
            <Menu.Item
              key={id}
              leftSection={<CheckMark on={id === workspace_id} />}
              onClick={() => choose.mutate({ body: { workspace_id: id } })}
            >
              {name}
            </Menu.Item>
          ))}
        <Menu.Label>{shell.theme}</Menu.Label>
        {(['light', 'dark', 'auto'] as const).map((each) => (
          <Menu.Item
            key={each}
            leftSection={<CheckMark on={colorScheme === each} />}
            closeMenuOnClick={false}
            onClick={() => setColorScheme(each)}
          >
            {looks[each]}
          </Menu.Item>
        ))}
        <Menu.Label>{shell.language}</Menu.Label>
        {(Object.keys(languages) as InterfaceLanguage[]).map((each) => (
          <Menu.Item
            key={each}
            lang={each}
            leftSection={<CheckMark on={each === currentLanguage()} />}
            onClick={() => switchLanguage(each)}
          >
            {languages[each]}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<Icon name="leave" size={16} />} onClick={() => logOut.mutate({})}>
          {shell.logOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

/** So that the menu does not move when the items arrive. */
function AvailabilitySpace() {
  return (
    <div style={{ visibility: 'hidden' }}>
      <Menu.Label>…</Menu.Label>
      <Menu.Item>…</Menu.Item>
      <Menu.Item>…</Menu.Item>
      <Menu.Item>…</Menu.Item>
    </div>
  )
}

function CheckMark({ on }: { on: boolean }) {
  return on ? <Icon name="check" size={16} /> : <span className="unticked" />
}
