import { Page } from '../../ui/page.tsx'

export function NetworksPage() {
  return <Page title="Networks">{null}</Page>
}
