import { Page } from '../../ui/page.tsx'

export function GatewaysPage() {
  return <Page title="Gateways">{null}</Page>
}
