import { Page } from '../../ui/page.tsx'

export function DeviceTypesPage() {
  return <Page title="Device types">{null}</Page>
}
