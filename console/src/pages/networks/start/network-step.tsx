import { Select, Stack, Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { t } from '../../../languages/text.ts'
import { LinkButton } from '../../../ui/link.tsx'
import { State } from '../../../ui/state.tsx'
import { AccountForm } from '../account-form.tsx'
import type { FleetNetwork } from '../network-words.ts'
import { isConnected } from './steps.ts'

const route = getRouteApi('/shell/start')

/** Server and key of a network; the rest is chosen from what it lists. */
export function NetworkStep({ networks }: { networks: readonly FleetNetwork[] }) {
  const { network: key } = route.useSearch()
  const navigate = route.useNavigate()
  const offered = networks.filter(({ docs }) => docs !== null)
  const network = offered.find((each) => each.key === key)
  const connected = networks.filter(isConnected)
  return (
    <Stack>
      {connected.map(({ key, name }) => (
        <State kind="good" key={key}>
          {t('{name} is connected.', { name })}
        </State>
      ))}
      <Select
        label={t('Where your devices are now')}
        placeholder={t('Choose a network')}
        searchable
        data={offered.map(({ key, name }) => ({ value: key, label: name }))}
        value={key ?? null}
        onChange={(next) =>
          void navigate({
            search: (known) => ({ ...known, step: 'network', network: next ?? undefined }),
          })
        }
      />
      {network && network.accounts.length === 0 && (
        <AccountForm key={network.key} network={network} method="user_account" stored={undefined} />
      )}
      {network && network.accounts.length > 0 && !isConnected(network) && (
        <>
          <Text size="sm">
            {t('{name} is entered, but does not work yet.', { name: network.name })}
          </Text>
          <LinkButton to="/networks/$key" params={{ key: network.key }} variant="default">
            {t('See what is missing')}
          </LinkButton>
        </>
      )}
      {!network && connected.length === 0 && (
        <Text size="sm" c="dimmed">
          {t(
            'You need the address of your network and a key to it. The devices stay there: nothing is changed at them, and none has to join again. From the Radio Bridge console, choose the network that it uses for your sensors.',
          )}{' '}
          {t(
            'Sensors at the account of Radio Bridge itself need a network of your own, where they are registered by their keys.',
          )}
        </Text>
      )}
    </Stack>
  )
}
