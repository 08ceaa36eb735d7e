import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findGaps, readContract, readMarks, renderConformance } from './write-conformance.ts'

const contract = `> Told to the reader.

# 4 Endpoints
## 4.1 Devices
4.1.1 GET /devices answers \`a | b\`.
4.1.2 DELETE /devices answers 204.

## 4.2 Webhooks (later)
4.2.1 GET /webhooks lists them.
`
// Marks are put together here, so that those of this file's texts are not taken for its own.
const shows = (numbers: string) => `// ${'shows'} ${numbers}`
const source = `
describe('the list', () => {
  ${shows('4.1.1')}
  test(\`holds \${count} <b>\`, async () => {
  test('is not marked', async () => {
})
${shows('4.1.1-2')}
${shows('4.2.1')}
test("does it's work", () => {
`

describe('the contract', () => {
  test('is read as sections with numbered statements', () => {
    const { found, faults } = readContract(contract)
    assert.deepEqual(faults, [])
    assert.deepEqual(
      found.map(({ number, title, isLater, statements }) => [
        number,
        title,
        isLater,
        statements.map((one) => one.number),
      ]),
      [
        ['4', 'Endpoints', false, []],
        ['4.1', 'Devices', false, ['4.1.1', '4.1.2']],
        ['4.2', 'Webhooks', true, ['4.2.1']],
      ],
    )
  })

  for (const [about, text] of [
    ['a gap in the numbers', '# 1 One\n1.2 Second.'],
    ['a number of another section', '# 1 One\n2.1 First.'],
    ['a heading that comes twice', '# 1 One\n# 1 Two'],
    ['a line that is nothing', '# 1 One\nFirst.'],
    ['a statement before any heading', '1.1 First.'],
  ] as const) {
    test(`with ${about} is a fault`, () => {
      assert.equal(readContract(text).faults.length, 1)
    })
  }
})

describe('the marks of a file', () => {
  test('name the statements of the test below them', () => {
    const { found, faults } = readMarks('a.test.ts', source)
    assert.deepEqual(faults, [])
    assert.deepEqual(found, [
      { file: 'a.test.ts', name: `the list: holds \${count} <b>`, shows: ['4.1.1'] },
      { file: 'a.test.ts', name: "does it's work", shows: ['4.1.1', '4.1.2', '4.2.1'] },
    ])
  })

  test('are a fault above anything but a test, and with anything but numbers', () => {
    assert.equal(readMarks('a.test.ts', `${shows('1.1')}\nconst a = 1`).faults.length, 1)
    for (const numbers of ['all', '1.1,1.2', '1.3-2', '1', '']) {
      const { found, faults } = readMarks('a.test.ts', `${shows(numbers)}\ntest('a', () => {`)
      assert.deepEqual([found, faults.length], [[], 1], numbers)
    }
  })
})

test('statements without a test and tests without a statement are found', () => {
  const { found: sections } = readContract(contract)
  const tests = [{ file: 'a.test.ts', name: 'one', shows: ['4.1.2', '4.1.9'] }]
  assert.deepEqual(findGaps(sections, tests), [
    'a.test.ts: there is no statement 4.1.9, which "one" shows',
    'No test shows 4.1.1 GET /devices answers `a | b`.',
  ])
})

test('the page has a table for each section, with the tests of each statement', () => {
  const { found: sections } = readContract(contract)
  const page = renderConformance(sections, readMarks('a.test.ts', source).found)
  assert.equal(page.slice(page.indexOf('## 4')).trimEnd(), expectedPage)
})

const expectedPage = `## 4 Endpoints

### 4.1 Devices

| | statement | shown by |
|---|---|---|
| 4.1.1 | GET /devices answers \`a \\| b\`. | the list: holds … &lt;b> (\`a.test.ts\`)<br>does it's work (\`a.test.ts\`) |
| 4.1.2 | DELETE /devices answers 204. | does it's work (\`a.test.ts\`) |

### 4.2 Webhooks

Not there yet.

| | statement | shown by |
|---|---|---|
| 4.2.1 | GET /webhooks lists them. | does it's work (\`a.test.ts\`) |`
