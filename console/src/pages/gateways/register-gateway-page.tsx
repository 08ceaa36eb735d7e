import { NativeSelect, Paper, Stack } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useApi } from '../../api/hooks.ts'
import { t } from '../../languages/text.ts'
import { Link } from '../../ui/link.tsx'
import { ErrorNotice } from '../../ui/notices.tsx'
import { LoadingLines, Page } from '../../ui/page.tsx'
import { GatewayForm } from './gateway-form.tsx'
import { takesGateways } from './gateway-query.ts'

const route = getRouteApi('/shell/gateways/register')

/** Registers a gateway by the form of its network. */
export function RegisterGatewayPage() {
  const { network } = route.useSearch()
  const navigate = route.useNavigate()
  const { data, error, refetch } = useApi('GET /fleet/networks', {})
  const networks = (data?.data ?? []).filter((one) => takesGateways(one))
  const isConnected = (key: string) => networks.find((one) => one.key === key)?.accounts.length
  const chosen = networks.find(({ key }) => key === network) ?? networks.find(isUsable)
  return (
    <Page
      title={t('Register a gateway')}
      above={<Link to="/gateways">{t('Gateways')}</Link>}
      description={t('At its network and here, in one step.')}
    >
      {error && <ErrorNotice error={error} retry={() => void refetch()} />}
      {!data && !error && <LoadingLines count={4} />}
      {data && (
        <Paper withBorder p="md" maw={640}>
          <Stack>
            <NativeSelect
              label={t('Network')}
              description={t('Where the gateway sends what it hears')}
              value={chosen?.key ?? ''}
              onChange={(event) =>
                void navigate({ search: { network: event.currentTarget.value }, replace: true })
              }
              data={networks.map(({ key, name }) => ({
                value: key,
                label:
                  isConnected(key) || key === 'other'
                    ? name
                    : t('{name} (not connected)', { name }),
              }))}
            />
            {chosen && <GatewayForm key={chosen.key} network={chosen} />}
          </Stack>
        </Paper>
      )}
    </Page>
  )
}

function isUsable({ accounts }: { accounts: readonly unknown[] }): boolean {
  return accounts.length > 0
}
