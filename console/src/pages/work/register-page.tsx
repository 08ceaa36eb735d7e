import { Page } from '../../ui/page.tsx'

export function RegisterPage() {
  return <Page title="Register a device">{null}</Page>
}
