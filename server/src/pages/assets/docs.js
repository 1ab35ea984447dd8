// Conveniences only: the page is whole without this script.

if (navigator.clipboard) {
  for (const caption of document.querySelectorAll('.sample figcaption')) {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'copy'
    button.textContent = 'Copy'
    button.setAttribute('aria-label', `Copy: ${caption.textContent}`)
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(caption.parentElement.querySelector('code').textContent)
      button.textContent = 'Copied'
      setTimeout(() => {
        button.textContent = 'Copy'
      }, 1500)
    })
    caption.append(button)
  }
}

// The whole reference was one page once: lead its links to the page that has the operation now.
const target = location.hash.slice(1)
if (/^\w+$/.test(target) && !document.getElementById(target)) {
  const link = document.querySelector(`.side a[href$="#${target}"]`)
  if (link) location.replace(link.href)
}

const menu = document.querySelector('.menu')
menu.addEventListener('click', (event) => {
  if (event.target.closest('a')) menu.open = false
})
document.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape' || !menu.open) return
  menu.open = false
  menu.querySelector('summary').focus()
})

for (const nav of document.querySelectorAll('.side, .menu nav')) {
  const filter = document.createElement('input')
  filter.type = 'search'
  filter.className = 'filter'
  filter.placeholder = 'Filter'
  filter.setAttribute('aria-label', 'Filter the contents')
  filter.addEventListener('input', () => showMatches(nav, filter.value.trim().toLowerCase()))
  nav.prepend(filter)
}

function showMatches(nav, wanted) {
  for (const list of nav.querySelectorAll('ul')) {
    const items = [...list.children]
    for (const item of items) item.hidden = !item.textContent.toLowerCase().includes(wanted)
    list.hidden = items.every((item) => item.hidden)
    list.previousElementSibling.hidden = list.hidden
  }
}

const side = document.querySelector('.side')
const observer = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) if (isIntersecting) markCurrent(target.id)
  },
  { rootMargin: '-15% 0px -80%' },
)
for (const part of document.querySelectorAll('.intro, .operation')) observer.observe(part)

function markCurrent(id) {
  side.querySelector('[aria-current]')?.removeAttribute('aria-current')
  const link = side.querySelector(`a[href$="#${id}"]`)
  if (!link) return
  link.setAttribute('aria-current', 'location')
  const { top, bottom } = link.getBoundingClientRect()
  if (top < 80 || bottom > innerHeight) side.scrollTo({ top: link.offsetTop - innerHeight / 2 })
}
