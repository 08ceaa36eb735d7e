import { getRouteApi } from '@tanstack/react-router'
import { useApi } from '../../api/hooks.ts'
import { t } from '../../languages/text.ts'
import { Link, LinkButton } from '../../ui/link.tsx'
import { EmptyState, ErrorNotice } from '../../ui/notices.tsx'
import { LoadingLines, Page } from '../../ui/page.tsx'
import { NetworkChoice } from './register/network-choice.tsx'
import { findPair, isConnected } from './register/network-variant.ts'
import { Registration } from './register/registration.tsx'

const route = getRouteApi('/shell/register')

/** Registers one device: the network first, then the device, then a look at all of it. */
export function RegisterPage() {
  const { network } = route.useSearch()
  if (network === undefined) {
    return (
      <Page
        title={t('Register a device')}
        actions={
          <>
            <LinkButton to="/install" variant="default">
              {t('Install several on site')}
            </LinkButton>
            <LinkButton to="/import" variant="default">
              {t('Import many from a file')}
            </LinkButton>
          </>
        }
      >
        <NetworkChoice />
      </Page>
    )
  }
  return <RegisterAt key={network} network={network} />
}

function RegisterAt({ network: key }: { network: string }) {
  const { eui } = route.useSearch()
  const networks = useApi('GET /fleet/networks', {})
  const form = useApi('GET /configurations', { query: { network: key, type: 'device' } })
  const known = networks.data?.data ?? []
  const network = known.find((each) => each.key === key)
  const pair = network && findPair(known, network)
  const error = networks.error ?? form.error
  return (
    <Page
      title={
        network ? t('Register a device at {name}', { name: network.name }) : t('Register a device')
      }
      above={<Link to="/register">{t('Choose another network')}</Link>}
    >
      {error && <ErrorNotice error={error} retry={() => void form.refetch()} />}
      {(networks.isPending || form.isPending) && <LoadingLines />}
      {network && pair && !isConnected(pair) && (
        <EmptyState
          title={t('{name} is not connected', { name: network.name })}
          actions={
            <LinkButton to="/networks/$key" params={{ key }}>
              {t('Connect it')}
            </LinkButton>
          }
        >
          {t('Devices are registered there through your account.')}
        </EmptyState>
      )}
      {pair && isConnected(pair) && form.data && 'payment' in form.data && (
        <Registration pair={pair} form={form.data.form} eui={eui} />
      )}
    </Page>
  )
}
