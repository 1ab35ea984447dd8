// The widget's script may come later than this one, so calls are queued until it is there.
window.Docent = window.Docent || []

window.Docent.push((docent) => {
  // What the page knows of its visitor is sent along and filled into the form.
  docent.identify({ name: 'Ada Example', email: 'ada@shop.example' })

  docent.on('reply', ({ text }) => {
    document.querySelector('#answer').textContent = text
  })

  document.querySelector('#ask').addEventListener('click', () => {
    docent.send('How long does delivery take?')
  })
})
