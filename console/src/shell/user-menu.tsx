import { ActionIcon, Menu, Text, useMantineColorScheme } from '@mantine/core'
import { IconUserCircle } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { basePath } from '../api/client.ts'
import { useApi } from '../api/hooks.ts'
import { t } from '../languages/text.ts'
import { logOut, useSession } from '../session/session.ts'
import { tellFailure } from '../ui/notices.tsx'

const schemes = [
  ['auto', t('System')],
  ['light', t('Light')],
  ['dark', t('Dark')],
] as const

export function UserMenu() {
  const { session } = useSession()
  const navigate = useNavigate()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={t('Your account')}>
          <IconUserCircle size={22} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="xs" truncate maw={240}>
            {session.user.email}
          </Text>
        </Menu.Label>
        <Menu.Item onClick={() => navigate({ to: '/settings' })}>{t('Settings')}</Menu.Item>
        <Menu.Item onClick={() => navigate({ to: '/start' })}>{t('First steps')}</Menu.Item>
        <WaitingInvitations />
        <Menu.Item component="a" href={`${basePath}/guide/`}>
          {t('Guide')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>{t('Colours')}</Menu.Label>
        {schemes.map(([scheme, label]) => (
          <Menu.Item
            key={scheme}
            onClick={() => setColorScheme(scheme)}
            aria-current={colorScheme === scheme}
            fw={colorScheme === scheme ? 600 : undefined}
          >
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item
          onClick={() => {
            logOut().catch((error) => tellFailure(t('You are still logged in'), error))
          }}
        >
          {t('Log out')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

/** Leads to the invitations that wait for an answer. It is read when the menu opens. */
function WaitingInvitations() {
  const navigate = useNavigate()
  const { data } = useApi('GET /user/invitations', {})
  const count = data?.data.length ?? 0
  if (count === 0) return null
  return (
    <Menu.Item onClick={() => navigate({ to: '/settings/invitations' })}>
      {t('{count, plural, one {# invitation} other {# invitations}} for you', { count })}
    </Menu.Item>
  )
}
