package dev.spindle.plot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

class SvgPlotTest {
    private static final double WIDTH = 860;
    private static final double HEIGHT = 340;

    private static Document drawn(Plot plot) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setNamespaceAware(true);
        return factory.newDocumentBuilder()
                .parse(new InputSource(new StringReader(SvgPlot.of(plot))));
    }

    private static List<Element> all(Document document, String name) {
        NodeList found = document.getElementsByTagName(name);
        return IntStream.range(0, found.getLength())
                .mapToObj(i -> (Element) found.item(i))
                .toList();
    }

    /** Where a text lies, at 6.7 units a character: left, right, base line. */
    private record Box(String words, double left, double right, double base) {
        static Box of(Element text) {
            String words = text.getTextContent();
            double x = Double.parseDouble(text.getAttribute("x"));
            double width = 6.7 * words.length();
            double left =
                    switch (text.getAttribute("text-anchor")) {
                        case "start" -> x;
                        case "middle" -> x - width / 2;
                        default -> x - width;
                    };
            double base = Double.parseDouble(text.getAttribute("y"));
            return new Box(words, left, left + width, base);
        }

        boolean covers(Box other) {
            return left < other.right && other.left < right && Math.abs(base - other.base) < 12;
        }
    }

    private static Plot plot(int lines, double mostX, double mostY) {
        List<Plot.Series> series = new ArrayList<>();
        for (int i = 0; i < lines; i++) {
            String name = "packet/congestion_on=" + (i + 1) * 1024;
            series.add(new Plot.Series(name, List.of(0.0, mostX), List.of(0.0, mostY), false));
        }
        return new Plot("Requests in flight, all processes", "seconds", "requests", series);
    }

    @ParameterizedTest
    @CsvSource({"1,5.36,21", "2,65536,0.0004", "5,0.001,1e7", "12,100,552", "1,1,1000000"})
    void noTextCoversAnotherOrLeavesThePicture(int lines, double mostX, double mostY)
            throws Exception {
        List<Box> boxes =
                all(drawn(plot(lines, mostX, mostY)), "text").stream().map(Box::of).toList();
        for (Box box : boxes) {
            assertThat(box.left).as(box.words).isNotNegative();
            assertThat(box.right).as(box.words).isLessThanOrEqualTo(WIDTH);
            assertThat(box.base).as(box.words).isBetween(10.0, HEIGHT);
            assertThat(boxes.stream().filter(box::covers)).as(box.words).containsExactly(box);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "5.36, 0 1 2 3 4 5",
        "100, 0 20 40 60 80 100",
        "2048, 0 500 1000 1500 2000",
        "0.0041, 0.000 0.001 0.002 0.003 0.004",
        "1, 0.0 0.2 0.4 0.6 0.8 1.0"
    })
    void marksAreRoundNumbers(double most, String marks) {
        Axis axis = Axis.exactlyTo(most);
        assertThat(String.join(" ", axis.marks().stream().map(axis::text).toList()))
                .isEqualTo(marks);
    }

    @Test
    void aSinglePointIsSeen() throws Exception {
        var one = new Plot.Series("one", List.of(3.0), List.of(4.0), false);
        assertThat(all(drawn(new Plot("t", "x", "y", List.of(one))), "circle")).hasSize(1);
    }

    @Test
    void whatHasNamesIsNotJoinedByLines() throws Exception {
        var two = new Plot.Series("ours", List.of(1.0, 2.0), List.of(4.0, 5.0), false);
        Document drawn = drawn(new Plot("t", "", "y", List.of(two), List.of("sync R", "aio1 W")));
        assertThat(all(drawn, "circle")).hasSize(2);
        assertThat(all(drawn, "path").stream().map(path -> path.getAttribute("d")))
                .noneMatch(path -> path.contains("L"));
        assertThat(all(drawn, "text").stream().map(Element::getTextContent))
                .contains("sync R", "aio1 W");
    }

    @Test
    void moreLinesThanColoursCanBeToldApart() throws Exception {
        List<String> looks =
                all(drawn(plot(12, 1, 1)), "path").stream()
                        .filter(path -> path.getAttribute("stroke-width").equals("2"))
                        .map(path ->
                                path.getAttribute("stroke") + path.getAttribute("stroke-dasharray"))
                        .toList();
        assertThat(looks).hasSize(12).doesNotHaveDuplicates();
    }
}
