// Fills the reading page of a source from the API. Everything is set as text, never as markup.
const [botId, documentId] = location.pathname.split('/').slice(2)
const part = (id) => document.getElementById(id)

async function show() {
  const section = encodeURIComponent(location.hash.slice(1))
  const response = await fetch(`/api/chat/${botId}/sources/${documentId}?section=${section}`)
  const found = await response.json()
  if (!response.ok) return showText(found.error.message)
  const { bot, title, headings, text, language } = found
  document.documentElement.lang = language
  document.documentElement.style.setProperty('--accent', bot.colour)
  document.title = [title, bot.name].filter(Boolean).join(' · ')
  part('site').textContent = bot.name
  if (bot.site_url) part('site').href = bot.site_url
  if (bot.logo_url) part('logo').src = bot.logo_url
  part('logo').hidden = !bot.logo_url
  part('bot').hidden = false
  const path = [...new Set(headings)].filter((heading) => heading !== title)
  part('path').textContent = path.join(' › ')
  part('path').hidden = path.length === 0
  part('title').textContent = title ?? bot.name
  showText(text)
}

function showText(text) {
  const blocks = text.split(/\n{2,}/).map((block) => {
    const lines = block.split('\n')
    const isList = lines.every((line) => /^[-*•]\s/.test(line))
    const node = document.createElement(isList ? 'ul' : 'p')
    if (!isList) node.textContent = block
    else
      node.append(
        ...lines.map((line) => {
          const item = document.createElement('li')
          item.textContent = line.slice(2)
          return item
        }),
      )
    return node
  })
  part('text').replaceChildren(...blocks)
}

addEventListener('hashchange', show)
show()
