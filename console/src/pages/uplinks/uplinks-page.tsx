import { Page } from '../../ui/page.tsx'

export function UplinksPage() {
  return <Page title="Uplinks">{null}</Page>
}
