import { Page } from '../../ui/page.tsx'

export function DevicesPage() {
  return <Page title="Devices">{null}</Page>
}
