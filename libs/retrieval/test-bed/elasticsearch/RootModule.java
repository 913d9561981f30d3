import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.elasticsearch.Build;
import org.elasticsearch.client.internal.node.NodeClient;
import org.elasticsearch.cluster.node.DiscoveryNodes;
import org.elasticsearch.features.NodeFeature;
import org.elasticsearch.plugins.ActionPlugin;
import org.elasticsearch.plugins.Plugin;
import org.elasticsearch.rest.BaseRestHandler;
import org.elasticsearch.rest.RestHandler;
import org.elasticsearch.rest.RestRequest;
import org.elasticsearch.rest.RestResponse;
import org.elasticsearch.rest.RestStatus;

/** Answers "GET /" with the version: the module that does it in a distribution is not published as an artifact. */
public class RootModule extends Plugin implements ActionPlugin {
    @Override
    public List<RestHandler> getRestHandlers(
        RestHandlersServices services, Supplier<DiscoveryNodes> nodes, Predicate<NodeFeature> features) {
        return List.of(new BaseRestHandler() {
            @Override
            public String getName() {
                return "reenact_test_root";
            }

            @Override
            public List<Route> routes() {
                return List.of(new Route(RestRequest.Method.GET, "/"), new Route(RestRequest.Method.HEAD, "/"));
            }

            @Override
            protected RestChannelConsumer prepareRequest(RestRequest request, NodeClient client) {
                return channel -> {
                    var body = channel.newBuilder().startObject();
                    body.field("name", nodes.get().getLocalNode().getName());
                    body.startObject("version").field("number", Build.current().version()).field("build_flavor", "default").endObject();
                    body.field("tagline", "You Know, for Search").endObject();
                    channel.sendResponse(new RestResponse(RestStatus.OK, body));
                };
            }
        });
    }
}
