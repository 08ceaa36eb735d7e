import { getRouteApi } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { t } from '../../languages/text.ts'
import { LeaveQuestion } from '../../ui/leave-question.tsx'
import { Link } from '../../ui/link.tsx'
import { Page } from '../../ui/page.tsx'
import type { CsvFile } from './import/csv-file.ts'
import { FileChoice } from './import/file-choice.tsx'
import { ImportPlan } from './import/import-plan.tsx'

const route = getRouteApi('/shell/import')

/** Registers the devices of a file: what its columns are, a look at its rows, then a job. */
export function ImportPage() {
  const { job } = route.useSearch()
  const [file, setFile] = useState<CsvFile>()
  useEffect(() => () => file?.close(), [file])
  return (
    <Page
      title={t('Import devices')}
      guide="moving-in.html"
      above={<Link to="/devices">{t('Devices')}</Link>}
      description={file ? file.name : t('From a CSV file with up to 100,000 rows.')}
    >
      {file ? (
        <>
          <LeaveQuestion title={t('Leave the import?')}>
            {t(
              'What you have chosen for {name} is lost. Rows that were sent already stay in their job, which can go on with the same file.',
              { name: file.name },
            )}
          </LeaveQuestion>
          <ImportPlan file={file} job={job} onOther={() => setFile(undefined)} />
        </>
      ) : (
        <FileChoice onOpen={setFile} />
      )}
    </Page>
  )
}
