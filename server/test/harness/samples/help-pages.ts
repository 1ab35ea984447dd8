// Typical help centre pages, with all the markup around the answers.

export const articlePage = `<html><head><title>Returning a bike – Larkspur Help</title></head><body class="has-toc">
<a class="skip-navigation" href="#main-content">Skip to main content</a>
<header class="header"><div class="logo"><a href="/">Larkspur</a></div><nav><button class="menu-button" aria-controls="user-nav" aria-expanded="false">Menu</button><ul id="user-nav"><li><a href="/login">Sign in</a></li></ul></nav></header>
<div id="cookie-banner" class="cookie-banner"><p>We use cookies to improve your visit.</p><button>Accept</button></div>
<main role="main"><div class="container">
<ol class="breadcrumbs"><li><a href="/">Larkspur Help</a></li><li><a href="/o">Orders</a></li><li>Returning a bike</li></ol>
<article class="article">
<header class="article-header"><h1 title="Returning a bike">Returning a bike</h1><div class="article-meta">Updated 3 weeks ago</div></header>
<section class="article-info"><div class="article-content"><div class="article-body">
<p>You can return an unridden bike within 30&nbsp;days &amp; get your money back &ndash; we pay the carrier.</p>
<div class="toc"><p><strong>In this article</strong></p><ul><li><a href="#a">Before you start</a></li><li><a href="#b">Booking the pick-up</a></li></ul></div>
<h2 id="a">Before you start</h2>
<p><strong>What you need</strong></p>
<ul><li>the order number</li><li>the original box</li></ul>
<h2 id="b">Booking the pick-up</h2>
<ol><li><p>Open <em>Orders</em>.</p></li><li><p>Choose <b>Return</b>:</p><ol><li>bike only</li><li>bike and parts</li></ol></li><li>Print the label.</li></ol>
<p>Then, at the depot:</p>
<ol start="4"><li>Tape the box.</li><li value="7">Hand it over.</li><li>Keep the receipt.</li></ol>
<table><caption>Costs by country</caption><thead><tr><th rowspan="2">Country</th><th colspan="2">Pick-up</th></tr><tr><th>Standard</th><th>Express</th></tr></thead><tbody><tr><th scope="row">Austria</th><td>free</td><td>9&nbsp;€</td></tr><tr><th scope="row">Norway</th><td>29 €</td><td>49 €</td></tr></tbody></table>
</div></div></section>
<footer><div class="article-votes"><span class="article-votes-question">Was this article helpful?</span><div><button>Yes</button><button>No</button></div><small>12 out of 20 found this helpful</small></div></footer>
<div class="article-relatives"><section class="related-articles"><h2>Related articles</h2><ul><li><a href="/x">Refund times</a></li><li><a href="/y">Warranty</a></li></ul></section></div>
<nav class="pagination"><a href="/p">← Previous: Orders</a><a href="/n">Next: Refunds →</a></nav>
</article></div></main><footer class="footer"><p>© Larkspur</p></footer></body></html>`

export const faqPage = `<html><head><title>FAQ</title></head><body><nav><a href=/>Home</a></nav><main><h1>Frequently asked questions</h1>
<p>Here is what customers ask us most often.</p>
<h2>Delivery</h2>
<div class="accordion" id="acc">
 <div class="accordion-item"><h3 class="accordion-header" id="h1"><button class="accordion-button collapsed" type="button" data-bs-toggle="collapse" data-bs-target="#c1" aria-expanded="false" aria-controls="c1">How long does delivery take?</button></h3><div id="c1" class="accordion-collapse collapse" aria-labelledby="h1"><div class="accordion-body"><p>Two to four working days.</p></div></div></div>
 <div class="accordion-item"><h3 class="accordion-header"><button class="accordion-button collapsed" aria-expanded="false" aria-controls="c2">Do you deliver abroad?</button></h3><div id="c2" class="accordion-collapse collapse" hidden><div class="accordion-body">Yes, to:<ul><li><a href=/at>Austria</a></li><li><a href=/ch>Switzerland</a></li></ul></div></div></div>
</div>
<h2>Payment</h2>
<div class="faq-list"><div class="faq-item"><div class="faq-question"><span>Can I pay by invoice?</span><i class="icon"></i></div><div class="faq-answer" style="display:none"><p>Yes, from your second order on.</p></div></div>
<div class="faq-item"><div class="faq-question"><span>Is my card stored?</span></div><div class="faq-answer" style="display:none"><p>No.</p><p>It is kept by the bank alone.</p></div></div></div>
<p>Still unsure? Write to help@larkspur.test.</p>
<h2>Account</h2>
<div><div class="row"><button aria-expanded="false" aria-controls="p9">How do I close my account?</button></div><div id="p9" hidden>Write to us.</div><div class="row"><button aria-expanded="false" aria-controls="p10">Can I reopen it?</button></div><div id="p10" hidden>Within 30 days.</div></div>
<p>Outside of the accordion.</p>
<details><summary>What about <b>vouchers</b>?</summary><p>They are lost.</p></details>
<p>After the details.</p>
<dl><dt>Who may ride it?</dt><dd>Anyone over 16.</dd><dt>With a helmet?</dt><dd><p>Yes.</p><p>Always.</p></dd></dl>
<dl><dt>Weight</dt><dd>14 kg</dd><dt>Frame</dt><dd>Steel</dd></dl>
<div role="tablist"><button role="tab" id="t1" aria-controls="tp1" aria-selected="true">iPhone</button><button role="tab" id="t2" aria-controls="tp2">Android</button></div>
<div role="tabpanel" id="tp1" aria-labelledby="t1"><p>Tap the gear.</p></div><div role="tabpanel" id="tp2" aria-labelledby="t2" hidden><p>Swipe from the left.</p></div>
<p>The end of the page.</p>
</main></body></html>`

export const microdataPage = `<html><head><title>Help</title></head><body><main><h1>Help</h1><div itemscope itemtype="https://schema.org/FAQPage"><div itemscope itemprop="mainEntity" itemtype="https://schema.org/Question"><div itemprop="name">Where is my parcel?</div><div itemscope itemprop="acceptedAnswer" itemtype="https://schema.org/Answer"><div itemprop="text">Look into your account.</div></div></div><div itemscope itemprop="mainEntity" itemtype="https://schema.org/Question"><strong itemprop="name">May I change the address?</strong><div itemscope itemprop="acceptedAnswer" itemtype="https://schema.org/Answer"><p itemprop="text">Until it has left.</p></div></div></div></main></body></html>`

export const structuredPage = `<html><head><title>Help</title><script type="application/ld+json">{"@type":"FAQPage","mainEntity":[{"@type":"Question","name":"Where is my parcel?","acceptedAnswer":{"text":"Look into your account, under orders."}},{"@type":"Question","name":"Not shown?","acceptedAnswer":{"text":"Shown by the data alone."}}]}</script></head><body><main><h1>Help</h1><div class="x1"><div class="x2"><span>Where is my parcel?</span></div><div class="x3">Look into your account, under orders.</div></div><p><b>Opening hours</b><br>Monday to Friday, 9 to 5</p><p><b>We never sell your data</b></p><h2>More</h2><p>Text.</p></main></body></html>`
