import { Page } from '../../ui/page.tsx'

export function ApiPage() {
  return <Page title="API">{null}</Page>
}
