import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseHtml, textOf } from '../../test/html.ts'
import { fc } from '../../test/properties.ts'
import { html, htmlLines, markupOf } from './html.ts'

test('escapes what is put in, in text and in attributes', () => {
  const name = `<b title="x">&'</b>`
  assert.equal(
    markupOf(html`<p title="${name}">${name}</p>`),
    '<p title="&lt;b title=&quot;x&quot;&gt;&amp;&#39;&lt;/b&gt;">&lt;b title=&quot;x&quot;&gt;&amp;&#39;&lt;/b&gt;</p>',
  )
})

test('takes pieces of HTML as they are, lists of them, numbers, and nothing for false', () => {
  const items = ['a', '<'].map((item) => html`<em>${item}</em>`)
  assert.equal(
    markupOf(html`<p>${items}${1.5}${false}${html`<em></em>`}</p>`),
    '<p><em>a</em><em>&lt;</em>1.5<em></em></p>',
  )
})

test('whatever text is put in comes out as text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const [element] = parseHtml(markupOf(html`<p title="${text}">${text}</p>`)).children
      assert.ok(typeof element === 'object')
      assert.equal(element.attributes.title, text)
      assert.equal(textOf(element), text)
    }),
  )
})

test('joins lines by <br> and no other tag', () => {
  assert.equal(htmlLines(['a <b>', 'c\nd']), 'a &lt;b&gt;<br>c<br>d')
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' })), (texts) => {
      assert.doesNotMatch(htmlLines(texts).replaceAll('<br>', ''), /[<>"']/)
    }),
  )
})
