import { Page } from '../../ui/page.tsx'

export function BillingPage() {
  return <Page title="Billing">{null}</Page>
}
